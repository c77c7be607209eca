import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TraceOptions, traceWriter } from '@turnwire/trace/node';
import { expect, test } from 'vitest';
import { folder, jsonLines } from './folder.ts';

/** Writes frames of the client, and returns the written lines without the header. */
async function traced(
  frames: readonly unknown[],
  options: Partial<TraceOptions> = {},
): Promise<readonly Record<string, unknown>[]> {
  const path = join(await folder(), 'trace.jsonl');
  const writer = traceWriter({ path, ...options });
  for (const frame of frames) writer.tap('out', typeof frame === 'string' ? frame : JSON.stringify(frame));
  await writer.close();
  return (await jsonLines(path)).slice(1);
}

async function frameOf(frame: unknown, options: Partial<TraceOptions> = {}): Promise<unknown> {
  const [line] = await traced([frame], options);
  return line?.['frame'];
}

test('a trace has a header and one line for every frame and note, in order', async () => {
  const path = join(await folder(), 'deep', 'trace.jsonl');
  const writer = traceWriter({ path, header: { client: 'turnwire 1.0', agent: 'coder' } });
  writer.note({ type: 'launch', command: ['coder', '--acp'] });
  writer.tap('out', '{"jsonrpc":"2.0","id":0,"method":"initialize"}');
  writer.tap('in', 'not JSON');
  await writer.close();
  writer.tap('in', '{"late":true}');
  const [header, ...lines] = await jsonLines(path);
  expect(header).toEqual({
    turnwireTrace: 1,
    id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
    part: 0,
    startedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    side: 'client',
    client: 'turnwire 1.0',
    agent: 'coder',
  });
  const at = expect.any(Number) as number;
  expect(lines).toEqual([
    { at, type: 'launch', command: ['coder', '--acp'] },
    { at, direction: 'out', frame: { jsonrpc: '2.0', id: 0, method: 'initialize' } },
    { at, direction: 'in', frame: 'not JSON' },
  ]);
});

test('only its owner can read a trace', async () => {
  const path = join(await folder(), 'trace.jsonl');
  const writer = traceWriter({ path });
  writer.note({ type: 'launch', command: [] });
  await writer.close();
  expect((await stat(path)).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
});

test('secrets are never written, and the structure remains', async () => {
  const frame = {
    jsonrpc: '2.0',
    id: 1,
    method: 'session/new',
    params: {
      cwd: '/project',
      mcpServers: [
        {
          name: 'db',
          command: '/bin/db',
          args: [
            '--api-key',
            'S3CRET-1',
            '--token=S3CRET-2',
            'postgres://me:S3CRET-3@host/db?sslpassword=S3CRET-4',
            '--fast',
          ],
          env: [{ name: 'DB_TOKEN', value: 'S3CRET-5' }],
        },
        {
          type: 'http',
          name: 'web',
          url: 'https://x.test/?api_key=S3CRET-6&a=1',
          headers: [{ name: 'Authorization', value: 'Bearer S3CRET-7' }],
        },
      ],
      _meta: { credentials: { user: 'S3CRET-8' }, apiKey: 'S3CRET-9', note: 'ANTHROPIC_API_KEY=S3CRET-10 npm start' },
    },
  };
  expect(await frameOf(frame)).toEqual({
    ...frame,
    params: {
      cwd: '/project',
      mcpServers: [
        {
          name: 'db',
          command: '/bin/db',
          args: [
            '--api-key',
            '[redacted]',
            '--token=[redacted]',
            'postgres://[redacted]@host/db?sslpassword=[redacted]',
            '--fast',
          ],
          env: [{ name: 'DB_TOKEN', value: '[redacted]' }],
        },
        {
          type: 'http',
          name: 'web',
          url: 'https://x.test/?api_key=[redacted]&a=1',
          headers: [{ name: 'Authorization', value: '[redacted]' }],
        },
      ],
      _meta: {
        credentials: { user: '[redacted]' },
        apiKey: '[redacted]',
        note: 'ANTHROPIC_API_KEY=[redacted] npm start',
      },
    },
  });
});

test('keys of well-known services and configured secrets are hidden everywhere', async () => {
  const text = `sk-ant-${'a'.repeat(30)} ghp_${'b'.repeat(36)} hunter22 Bearer abcdefgh12345 plain hunter22`;
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  expect(await frameOf({ method: 'session/update', params: { update } }, { secrets: ['hunter22', 'an', ''] })).toEqual({
    method: 'session/update',
    params: {
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: '[redacted] [redacted] [redacted] Bearer [redacted] plain [redacted]' },
      },
    },
  });
});

test('frames that are not JSON, notes and the header are redacted too', async () => {
  const path = join(await folder(), 'trace.jsonl');
  const writer = traceWriter({
    path,
    secrets: ['S3CRET'],
    header: { agent: 'S3CRET', command: ['a', '--key=S3CRET'] },
  });
  writer.tap('in', 'oops S3CRET');
  writer.note({ type: 'stderr', text: 'the key S3CRET is wrong' });
  writer.note({ type: 'launch', command: ['a'], env: { A: 'S3CRET' } });
  await writer.close();
  expect(await readFile(path, 'utf8')).not.toContain('S3CRET');
});

test('the prompt is kept by default and hidden on request', async () => {
  const prompt = { method: 'session/prompt', params: { sessionId: 's', prompt: [{ type: 'text', text: 'hello' }] } };
  const echo = {
    params: { update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'hello' } } },
  };
  expect(await Promise.all([frameOf(prompt), frameOf(echo)])).toEqual([prompt, echo]);
  expect(await Promise.all([frameOf(prompt, { keepPrompts: false }), frameOf(echo, { keepPrompts: false })])).toEqual([
    { method: 'session/prompt', params: { sessionId: 's', prompt: [{ type: 'text', text: '[redacted]' }] } },
    { params: { update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: '[redacted]' } } } },
  ]);
});

test('the form of a question is kept, its answer is hidden', async () => {
  const form = { requestedSchema: { type: 'object', properties: { apiKey: { type: 'string', title: 'Your key' } } } };
  const answer = { result: { action: 'accept', content: { apiKey: 'S3CRET' } } };
  expect([await frameOf(form), await frameOf(answer)]).toEqual([
    form,
    { result: { action: 'accept', content: { apiKey: '[redacted]' } } },
  ]);
});

test('a frame with extreme nesting is cut off and not fatal', async () => {
  const levels = 50_000;
  const frame = `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const [line] = await traced([frame, '{"next":1}']).then((lines) => lines.slice(1));
  expect(line?.['frame']).toEqual({ next: 1 });
});

test('a full file is rotated, and only the configured number is kept', async () => {
  const path = join(await folder(), 'trace.jsonl');
  const writer = traceWriter({ path, maximumBytes: 600, keep: 2 });
  for (let id = 0; id < 30; id++) writer.tap('out', JSON.stringify({ id, method: 'session/prompt' }));
  await writer.close();
  expect((await readdir(join(path, '..'))).toSorted()).toEqual(['trace.jsonl', 'trace.jsonl.1', 'trace.jsonl.2']);
  const files = await Promise.all(['.2', '.1', ''].map((suffix) => jsonLines(`${path}${suffix}`)));
  const parts = files.map(([header]) => Number(header?.['part']));
  expect(parts.map((part) => part - (parts[0] ?? 0))).toEqual([0, 1, 2]);
  const ids = files.flatMap(([, ...lines]) => lines.map(({ frame }) => (frame as { id: number }).id));
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => 30 - ids.length + index));
  const sizes = await Promise.all(['.2', '.1', ''].map(async (suffix) => (await stat(`${path}${suffix}`)).size));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(600);
});

test('an existing file is rotated, and symbolic links are never followed', async () => {
  const directory = await folder();
  const path = join(directory, 'trace.jsonl');
  await writeFile(join(directory, 'precious'), 'precious');
  await symlink(join(directory, 'precious'), path);
  const writer = traceWriter({ path });
  writer.note({ type: 'launch', command: [] });
  await writer.close();
  expect([
    await readFile(join(directory, 'precious'), 'utf8'),
    await readFile(`${path}.1`, 'utf8'),
    (await jsonLines(path)).length,
  ]).toEqual(['precious', 'precious', 2]);
});

test('frames that exceed the queue are dropped and counted at their position', async () => {
  const frame = JSON.stringify({ text: 'x'.repeat(1000) });
  const path = join(await folder(), 'trace.jsonl');
  const writer = traceWriter({ path, maximumPending: 3000 });
  for (let count = 0; count < 10; count++) writer.tap('in', frame);
  writer.note({ type: 'exit', code: 0 });
  expect(writer.dropped).toBe(8);
  await writer.close();
  const lines = (await jsonLines(path)).slice(1);
  expect(lines.map(({ direction, type, lines: count }) => direction ?? [type, count])).toEqual([
    'in',
    'in',
    ['dropped', 8],
    ['exit', undefined],
  ]);
});

test('written frames make space in the queue for new ones', async () => {
  const frame = JSON.stringify({ text: 'x'.repeat(1000) });
  const path = join(await folder(), 'trace.jsonl');
  const writer = traceWriter({ path, maximumPending: 3000 });
  for (let wave = 1; wave <= 3; wave++) {
    writer.tap('in', frame);
    writer.tap('in', frame);
    while ((await jsonLines(path).catch(() => [])).length < 1 + 2 * wave)
      await new Promise((resolve) => setImmediate(resolve));
  }
  await writer.close();
  expect([writer.dropped, (await jsonLines(path)).length]).toEqual([0, 7]);
});

test('a frame larger than a file is dropped and counted', async () => {
  const lines = await traced([{ a: 1 }, { text: 'x'.repeat(1000) }, { b: 1 }], { maximumBytes: 800 });
  expect(lines.map(({ frame, type }) => frame ?? type)).toEqual([{ a: 1 }, 'dropped', { b: 1 }]);
});

test('a file that cannot be written is reported once, and the writer never throws', async () => {
  const directory = await folder();
  await writeFile(join(directory, 'file'), '');
  await mkdir(join(directory, 'folder'));
  const problems: string[] = [];
  for (const path of [join(directory, 'file', 'trace.jsonl'), join(directory, 'folder')]) {
    const writer = traceWriter({ path, onProblem: (message) => void problems.push(message) });
    writer.tap('in', '{}');
    writer.tap('in', '{}');
    await writer.close();
    writer.tap('in', '{}');
  }
  expect(problems).toEqual([
    expect.stringMatching(
      /^Tracing stopped, everything else continues: .*trace\.jsonl cannot be written \(E(NOTDIR|EXIST|NOENT).*\)$/,
    ),
    expect.stringMatching(
      /^Tracing stopped, everything else continues: .*folder cannot be written \(.*folder is not a file\)$/,
    ),
  ]);
});

test.skipIf(!existsSync('/dev/full'))('a full disk is reported once', async () => {
  const problems: string[] = [];
  const writer = traceWriter({ path: '/dev/full', onProblem: (message) => void problems.push(message) });
  for (let count = 0; count < 3; count++) writer.tap('in', '{}');
  await writer.close();
  expect(problems).toEqual([expect.stringContaining('/dev/full cannot be written (ENOSPC')]);
});
