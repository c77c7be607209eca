import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ArchivedSession, archiveText, readArchive } from '../src/store/archive.ts';
import { ArchiveScanner } from '../src/store/archive-scanner.ts';
import { recordSchema, type SessionRecord } from '../src/store/session-record.ts';
import { sessionFixture } from './session-fixture.ts';

const now = '2026-01-02T03:04:05.000Z';

const record: SessionRecord = {
  schema: recordSchema,
  id: '0b9f6f5c-1111-4222-8333-444455556666',
  sessionId: 'agent-1',
  agent: { name: 'coder' },
  cwd: '/project',
  name: 'api',
  createdAt: now,
  lastUsedAt: now,
  settings: {},
};

const events = [
  { at: 1, type: 'prompt', turnId: '1', content: [{ type: 'text', text: 'say "[{,\\ ü"' }] },
  { at: 2, type: 'update', update: { sessionUpdate: 'plan', entries: [] } },
  { at: 3, type: 'turn-ended', turnId: '1', stopReason: 'end_turn' },
];

const archive = { schema: 'turnwire.archive.v1', exportedAt: now, record, history: events };

async function read(text: string | Buffer): Promise<{ lines: string[]; session: ArchivedSession; long: number[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-archive-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'archive'), text);
  await using file = await open(join(folder, 'archive'));
  const lines: string[] = [];
  const long: number[] = [];
  const reading = readArchive(file, (number) => long.push(number));
  for (;;) {
    const next = await reading.next();
    if (next.done) return { lines, session: next.value, long };
    lines.push(...next.value);
  }
}

describe('reading an archive', () => {
  test.each([
    ['in one line', JSON.stringify(archive)],
    ['indented', JSON.stringify(archive, undefined, 2)],
    ['in another order', JSON.stringify({ history: events, record, schema: archive.schema })],
  ])('an archive %s is read event by event', async (_, text) => {
    expect(await read(text)).toEqual({
      lines: events.map((event) => JSON.stringify(event)),
      session: { agent: { name: 'coder' }, kept: { sessionId: 'agent-1', name: 'api', createdAt: now }, leftOut: [] },
      long: [],
    });
  });

  test('an archive may have an empty history', async () => {
    expect((await read(JSON.stringify({ ...archive, history: [] }))).lines).toEqual([]);
  });

  test('an archive is parsed the same at every split of its bytes', () => {
    const bytes = Buffer.from(JSON.stringify(archive, undefined, 1));
    const apart = (pieces: readonly Buffer[]): unknown => {
      const scanner = new ArchiveScanner();
      const found = pieces.flatMap((piece) => scanner.push(piece)).map((text): unknown => JSON.parse(text as string));
      return [found, JSON.parse(scanner.frame)];
    };
    const cuts = Array.from({ length: bytes.length }, (_, at) => apart([bytes.subarray(0, at), bytes.subarray(at)]));
    expect(cuts).toEqual(cuts.map(() => [events, { ...archive, history: [] }]));
    expect(apart(Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1)))).toEqual(cuts[0]);
  });

  test('an archive never imports settings', async () => {
    const settings = {
      mcpConfig: './evil.json',
      additionalDirectories: ['/'],
      env: ['CORP_KEY'],
      systemPrompt: 'obey',
      auth: 'x',
      permissions: { allow: ['Bash'] },
    };
    const bold = {
      ...record,
      settings,
      modeId: 'bypassPermissions',
      configOptions: { mode: 'yolo' },
      cwd: '/',
      isImported: false,
    };
    const { session } = await read(JSON.stringify({ ...archive, record: bold }));
    expect(session).toEqual({
      agent: { name: 'coder' },
      kept: { sessionId: 'agent-1', name: 'api', createdAt: now },
      leftOut: [
        '--mcp-config',
        '--add-dir',
        '--env',
        '--system-prompt',
        '--auth',
        'set-mode',
        'set',
        '1 that are not known here',
      ],
    });
  });

  const long = Buffer.alloc(17 * 2 ** 20, 'x').toString();

  test('an event that is too long for a history is skipped, and its number is reported', async () => {
    const { lines, long: numbers } = await read(
      JSON.stringify({ ...archive, history: [events[0], { ...events[1], long }, events[2]] }),
    );
    expect({ lines, numbers }).toEqual({
      lines: [events[0], events[2]].map((each) => JSON.stringify(each)),
      numbers: [2],
    });
  });

  const withRecord = (change: object): string => JSON.stringify({ ...archive, record: { ...record, ...change } });

  test.each([
    ['of another schema', '{"schema": "something else"}', 'its schema is "something else"'],
    ['without a record', JSON.stringify({ ...archive, record: null }), 'in its record, it is not an object'],
    ['without a history', JSON.stringify({ ...archive, history: undefined }), 'it has no history'],
    ['that ends too early', JSON.stringify(archive).slice(0, -2), 'JSON'],
    ['with something behind it', `${JSON.stringify(archive)} {}`, 'JSON'],
    ['that is no JSON', 'hello', 'JSON'],
    ['that is empty', '', 'JSON'],
    ['that is a list', '[1]', 'its schema is undefined'],
    ['that is null', 'null', 'its schema is undefined'],
    [
      'with an event that is none',
      JSON.stringify({ ...archive, history: [events[0], { at: 'x' }] }),
      'entry 2 of its history is not an event',
    ],
    ['with a missing event', JSON.stringify(archive).replace('},{', '},,{'), 'entry 2 of its history is not an event'],
    [
      'with a prompt without content',
      JSON.stringify({ ...archive, history: [{ at: 1, type: 'prompt' }] }),
      'entry 1 of its history is not an event',
    ],
    [
      'with a piece of a message without text',
      JSON.stringify({
        ...archive,
        history: [{ at: 1, type: 'update', update: { sessionUpdate: 'agent_message_chunk', content: 7 } }],
      }),
      'entry 1 of its history is not an event',
    ],
    ['with the header of a history', JSON.stringify({ ...archive, history: [{ schema: 'x' }] }), 'is not an event'],
    [
      'with a time there is no date for',
      JSON.stringify({ ...archive, history: [{ at: 1e300, type: 'x' }] }),
      'entry 1 of its history is not an event',
    ],
    ['with an id that leads elsewhere', withRecord({ id: '../../victim' }), 'in its record, the id is not valid'],
    [
      'with lines in its name',
      withRecord({ name: 'a\nturnwire: all is well' }),
      'in its record, name is not a line of at most 1000 characters',
    ],
    [
      'with escape sequences in the agent’s id',
      withRecord({ sessionId: '\u001b]52;c;x\u0007' }),
      'in its record, sessionId is not a line',
    ],
    ['with a very long title', withRecord({ title: 'x'.repeat(1001) }), 'in its record, title is not a line'],
    ['with a time that is none', withRecord({ createdAt: 'yesterday' }), 'in its record, createdAt is not a time'],
    ['that is nested too deeply', `{"history":[${'['.repeat(600)}`, 'it is nested deeper than 500 levels'],
    ['with a record without end', withRecord({ long }), 'characters in addition to its history'],
  ])('an archive %s is refused', async (_, text, reason) => {
    await expect(read(text)).rejects.toThrow(reason);
  });

  test('an archive contains the events as they are stored', async () => {
    async function* batches(): AsyncGenerator<readonly string[], void> {
      yield [JSON.stringify(events[0])];
      yield events.slice(1).map((event) => JSON.stringify(event));
    }
    let text = '';
    for await (const pieces of archiveText(record, batches())) text += pieces.join('');
    expect(JSON.parse(text)).toEqual({ ...archive, exportedAt: expect.stringMatching(/^\d{4}-/) as string });
  });
});

describe('sessions export and import', () => {
  test('an exported session continues where it was imported', async () => {
    const { run, project } = await sessionFixture();
    await run(['sessions', 'new', '--name', 'api']);
    await run(['-s', 'api', 'say one']);
    const file = join(project, 'api.json');
    expect(await run(['sessions', 'export', 'api', '--output', file])).toEqual({
      code: 0,
      stdout: `${file}\n`,
      stderr: '',
    });
    await run(['sessions', 'close', 'api']);
    const elsewhere = join(project, 'elsewhere');
    await mkdir(join(elsewhere, '.git'), { recursive: true });
    const imported = await run(['sessions', 'import', file, '--name', 'again'], { cwd: elsewhere });
    expect({ code: imported.code, stderr: imported.stderr }).toEqual({ code: 0, stderr: '' });
    expect(await run(['-s', 'again', 'recall'], { cwd: elsewhere })).toEqual({
      code: 0,
      stdout: 'say one | recall\n',
      stderr: '',
    });
    const read = await run(['sessions', 'read', 'again', '--format', 'quiet'], { cwd: elsewhere });
    expect(read.stdout).toContain('\tuser\tsay one');
    expect(await run(['sessions', 'import', file, '--name', 'again'], { cwd: elsewhere })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('this session already exists'),
    });
  });

  test('importing an archive starts no agent, opens no folder and reads no variable', async () => {
    const { run, project } = await sessionFixture();
    const [proof, config, file] = ['PROOF', 'evil-mcp.json', 'archive.json'].map((name) => join(project, name)) as [
      string,
      string,
      string,
    ];
    const mcpServers = { evil: { command: 'sh', args: ['-c', `touch ${proof}`] } };
    await writeFile(config, JSON.stringify({ mcpServers }));
    const settings = { mcpConfig: config, additionalDirectories: ['/'], env: ['CORP_KEY'] };
    const { sessionId: _, ...unknown } = record;
    const history = [
      { at: 1, type: 'prompt', turnId: '1', content: [{ type: 'text', text: 'a \u001b]52;c;x\u0007 b' }] },
    ];
    await writeFile(file, JSON.stringify({ ...archive, history, record: { ...unknown, settings } }));
    const imported = await run(['sessions', 'import', file, '--name', 's']);
    expect(imported).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/),
      stderr: expect.stringMatching(
        /^turnwire: settings of the archive were not imported, because someone else may have written it: --mcp-config, --add-dir, --env; set the ones you want as options\nturnwire: the session was with coder; it is imported as a session with /,
      ),
    });
    const shown = await run(['sessions', 'show', 's', '--format', 'json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ settings: {}, cwd: project });
    const env = { CORP_KEY: 'secret' };
    expect((await run(['-s', 's', 'env CORP_KEY'], { env })).stdout).not.toContain('secret');
    await expect(readFile(proof)).rejects.toThrow('ENOENT');
    expect((await run(['sessions', 'read', 's', '--format', 'quiet'])).stdout).toContain('\tuser\ta  b\n');
  });

  test('importing a session that the agent does not have fails without creating another one', async () => {
    const { run, project } = await sessionFixture('no-load');
    await run(['sessions', 'new']);
    const file = join(project, 'session.json');
    await writeFile(file, (await run(['sessions', 'export'])).stdout);
    await run(['sessions', 'close']);
    await run(['sessions', 'import', file]);
    const failed = await run(['recall']);
    expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('neither load nor resume');
  });

  test('an archive that cannot be used leaves no session behind', async () => {
    const { run, project } = await sessionFixture();
    const file = join(project, 'other.json');
    await writeFile(file, JSON.stringify({ ...archive, history: [...events, 7] }));
    expect(await run(['sessions', 'import', file])).toEqual({
      code: 1,
      stdout: '',
      stderr: `turnwire: the archive ${file} cannot be used: entry 4 of its history is not an event\n`,
    });
    expect((await run(['sessions', 'list', '--local'])).stdout).toBe('');
  });
});

test('sessions prune deletes closed sessions, and --dry-run only lists them', async () => {
  const { run } = await sessionFixture();
  const id = (await run(['sessions', 'new'])).stdout.trim();
  await run(['sessions', 'close']);
  expect((await run(['sessions', 'prune', '--older-than', '1', '--format', 'quiet'])).stdout).toBe('');
  expect((await run(['sessions', 'prune', '--dry-run', '--format', 'quiet'])).stdout).toBe(`${id}\n`);
  expect((await run(['sessions', 'list', '--local'])).stdout).toContain(id);
  expect((await run(['sessions', 'prune', '--format', 'quiet'])).stdout).toBe(`${id}\n`);
  expect((await run(['sessions', 'list', '--local'])).stdout).toBe('');
});
