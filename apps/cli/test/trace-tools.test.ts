import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFixture, type AgentFixture } from './agent-fixture.ts';
import { turnwire } from './command.ts';

type Frame = readonly [direction: 'in' | 'out', content: object];

const opening: readonly Frame[] = [
  ['out', { id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } }],
  ['in', { id: 0, result: { protocolVersion: 1, agentCapabilities: {} } }],
  ['out', { id: 1, method: 'session/new', params: { cwd: '/p', mcpServers: [] } }],
  ['in', { id: 1, result: { sessionId: 's1' } }],
  [
    'out',
    { id: 2, method: 'session/prompt', params: { sessionId: 's1', prompt: [{ type: 'text', text: 'hunter-two' }] } },
  ],
];
const end: Frame = ['in', { id: 2, result: { stopReason: 'end_turn' } }];

function update(content: object, sessionId = 's1'): Frame {
  return ['in', { method: 'session/update', params: { sessionId, update: content } }];
}

const call = update({ sessionUpdate: 'tool_call', toolCallId: 't', title: '\u001b[2JReading', status: 'completed' });

function textOf(frames: readonly (Frame | object)[]): string {
  const header = { turnwireTrace: 1, id: 't', part: 0, startedAt: '2026-01-01T00:00:00.000Z', side: 'client' };
  const lines = frames.map((frame, at) => ({ at, ...(isFrame(frame) ? sent(frame) : frame) }));
  return `${[header, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`;
}

function isFrame(frame: Frame | object): frame is Frame {
  return Array.isArray(frame);
}

function sent([direction, content]: Frame): object {
  return { direction, frame: { jsonrpc: '2.0', ...content } };
}

async function trace(fixture: AgentFixture, name: string, frames: readonly (Frame | object)[]): Promise<string> {
  await fixture.write(join(fixture.project, name), textOf(frames));
  return name;
}

test('a trace without errors is valid, and recommendations are printed', async () => {
  const fixture = await agentFixture();
  const file = await trace(fixture, 'a.jsonl', [...opening, call, end]);
  const { code, stdout } = await fixture.run('trace', 'validate', file);
  expect({ code, stdout: stdout.split('\n') }).toEqual({
    code: 0,
    stdout: [
      '! agent: The answer to initialize has no agentInfo  [R035, SHOULD]',
      '    line 3: {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentCapabilities":{}}}',
      expect.stringMatching(/^! agent: agentCapabilities does not mention .* \[R045, SHOULD\]$/),
      expect.stringMatching(/^ {4}line 3: /),
      '! client: initialize has no clientInfo  [R033, SHOULD]',
      expect.stringMatching(/^ {4}line 2: /),
      expect.stringMatching(/^! client: clientCapabilities does not mention .* \[R044, SHOULD\]$/),
      expect.stringMatching(/^ {4}line 2: /),
      '7 frames, violations: 0, recommendations not followed: 4',
      '',
    ],
  });
});

test('a violation is printed with the lines that prove it, without control sequences', async () => {
  const fixture = await agentFixture();
  const file = await trace(fixture, 'a.jsonl', [
    ...opening,
    call,
    call,
    end,
    update({ sessionUpdate: 'plan', entries: [] }),
  ]);
  const { code, stdout } = await fixture.run('trace', 'validate', file, '--of', 'agent');
  expect(code).toBe(1);
  expect(stdout.split('\n').slice(4)).toEqual([
    '✗ agent: plan was sent after the answer to its prompt  [R162, MUST]',
    '    line 9: {"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}',
    expect.stringMatching(/^ {4}line 10: .*"plan"/),
    '✗ agent: The tool call "t" was announced again after its end  [R180, MUST]',
    expect.stringMatching(/^ {4}line 7: .*Reading/),
    expect.stringMatching(/^ {4}line 8: .*Reading/),
    '9 frames, violations: 2, recommendations not followed: 2',
    '',
  ]);
  expect(stdout).not.toContain('\u001b');
  const json = await fixture.run('trace', 'validate', file, '--of', 'agent', '--format', 'json');
  expect(JSON.parse(json.stdout.trim().split('\n').at(-1) ?? '')).toEqual({
    side: 'agent',
    requirement: 'R180',
    level: 'MUST',
    message: 'The tool call "t" was announced again after its end',
    frames: [expect.objectContaining({ where: 'line 7' }), expect.objectContaining({ where: 'line 8' })],
  });
});

test('a violation that missing lines could explain is not reported', async () => {
  const fixture = await agentFixture();
  const dropped = { type: 'dropped', lines: 2 };
  const file = await trace(fixture, 'a.jsonl', [...opening, dropped, ['in', { id: 9, result: {} }], end]);
  const { code, stdout } = await fixture.run('trace', 'validate', file);
  expect([code, stdout.split('\n').at(-2)]).toEqual([
    0,
    '7 frames, violations: 0, recommendations not followed: 4; lines are missing, so the requirements that need them were not judged',
  ]);
});

test('a file that is not a trace is not judged', async () => {
  const fixture = await agentFixture();
  await fixture.write(join(fixture.project, 'x'), 'hello\n');
  expect([
    (await fixture.run('trace', 'validate', 'x')).code,
    (await fixture.run('trace', 'diff', 'x', 'x')).code,
    (await fixture.run('trace', 'validate', 'y')).code,
    (await fixture.run('trace', 'replay', 'x', '--as', 'client')).code,
  ]).toEqual([2, 2, 2, 2]);
});

test('a trace without frames fails validation', async () => {
  const fixture = await agentFixture();
  const file = await trace(fixture, 'a.jsonl', [{ type: 'launch', command: ['a'] }]);
  expect(await fixture.run('trace', 'validate', file)).toEqual({
    code: 1,
    stdout: 'The trace has no frames, so there is nothing to judge\n',
    stderr: '',
  });
});

test('a trace with a byte order mark and Windows line endings is read', async () => {
  const fixture = await agentFixture();
  const file = await trace(fixture, 'a.jsonl', [...opening, end]);
  const text = await fixture.read(join(fixture.project, file));
  await fixture.write(join(fixture.project, 'b.jsonl'), `\ufeff${text.replaceAll('\n', '\r\n')}`);
  expect(await fixture.run('trace', 'diff', file, 'b.jsonl')).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('a header without the side that recorded it is refused', async () => {
  const fixture = await agentFixture();
  await fixture.write(join(fixture.project, 'a.jsonl'), '{"turnwireTrace":1,"side":7}\n');
  const { code, stderr } = await fixture.run('trace', 'view', 'a.jsonl');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'turnwire: a.jsonl is not a trace: line 1 is a header with the side 7, which is neither "client" nor "agent". A trace begins with a line {"turnwireTrace":1,…}.\n',
  });
});

test('two runs are compared regardless of their ids', async () => {
  const fixture = await agentFixture();
  const one = await trace(fixture, 'one.jsonl', [...opening, call, end]);
  const renamed = JSON.parse(
    JSON.stringify(opening).replaceAll('"s1"', '"other"').replaceAll('"id":', '"id":1'),
  ) as Frame[];
  const other = await trace(fixture, 'other.jsonl', [
    ...renamed,
    update({ sessionUpdate: 'plan', entries: [] }, 'other'),
    ['in', { id: 12, result: { stopReason: 'end_turn' } }],
  ]);
  expect(await fixture.run('trace', 'diff', one, one)).toEqual({ code: 0, stdout: '', stderr: '' });
  const { code, stdout } = await fixture.run('trace', 'diff', one, other);
  expect({ code, lines: stdout.split('\n').map((line) => line.slice(0, 51)) }).toEqual({
    code: 1,
    lines: [
      '  … 3 the same …',
      '  ← {"id":"client-2","jsonrpc":"2.0","result":{"ses',
      '  → {"id":"client-3","jsonrpc":"2.0","method":"sess',
      '- ← {"jsonrpc":"2.0","method":"session/update","par',
      ' '.repeat(51),
      '+ ← {"jsonrpc":"2.0","method":"session/update","par',
      ' '.repeat(51),
      '  ← {"id":"client-3","jsonrpc":"2.0","result":{"sto',
      '',
    ],
  });
});

test('a difference within a line is marked below it, and long equal parts are omitted', async () => {
  const fixture = await agentFixture();
  const [before, after] = [{ before: 'x'.repeat(3_000) }, { zoo: 'y'.repeat(3_000) }];
  const stop = (stopReason: string): Frame => ['in', { id: 2, result: { _meta: before, stopReason, ...after } }];
  const one = await trace(fixture, 'one.jsonl', [...opening, stop('end_turn')]);
  const other = await trace(fixture, 'other.jsonl', [...opening, stop('refusal')]);
  const { stdout } = await fixture.run('trace', 'diff', one, other);
  const [old = '', under = '', now = '', over = ''] = stdout.split('\n').slice(-5);
  const marked = (line: string, marks: string): string =>
    Array.from(line, (letter, place) => (marks[place] === '~' ? letter : '')).join('');
  expect([marked(old, under), marked(now, over)]).toEqual(['end_turn', 'refusal']);
  expect(old).toMatch(/^- ← \{"id":"client-3".*x…x+"\},"stopReason":"end_turn","zoo":"y+… {2}\(line 7\)$/);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(350);
});

test('a trace is redacted into a new file', async () => {
  const fixture = await agentFixture();
  const file = await trace(fixture, 'a.jsonl', [...opening, end]);
  expect(await fixture.run('trace', 'redact', file, '--secret', 'hunter-two', '--out', 'b.jsonl')).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  const text = await fixture.read(join(fixture.project, 'b.jsonl'));
  expect(text).toBe(textOf([...opening, end]).replace('hunter-two', '[redacted]'));
  expect((await fixture.run('trace', 'redact', file, '--secret', 'hunter-two')).stdout).toBe(text);
  expect(await fixture.run('trace', 'redact', file, '--out', 'b.jsonl')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'turnwire: b.jsonl exists: name a new file with --out\n',
  });
  expect((await fixture.run('trace', 'redact', file, '--secret', 'short')).code).toBe(2);
});

test('trace redact reports the lines that it cannot read and omits', async () => {
  const fixture = await agentFixture();
  const file = await trace(fixture, 'a.jsonl', [...opening, end]);
  await appendFile(join(fixture.project, file), '{"at":1,"direct\nwhat\n');
  const { code, stdout, stderr } = await fixture.run('trace', 'redact', file);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: textOf([...opening, end]),
    stderr: 'turnwire: 2 lines that cannot be read are left out\n',
  });
});

test('one exchange is selected by its id', async () => {
  const fixture = await agentFixture();
  const file = await trace(fixture, 'a.jsonl', [...opening, end]);
  const { stdout } = await fixture.run('trace', 'view', file, '--id', '1');
  expect(
    stdout
      .replaceAll(/ {2}\d+ B/g, '')
      .trimEnd()
      .split('\n'),
  ).toEqual(['      2.0 ms  → session/new #1', '      3.0 ms  ← session/new answer #1 after 1.0 ms']);
});

test('a trace is followed until Ctrl-C', async () => {
  const fixture = await agentFixture();
  const file = await trace(fixture, 'a.jsonl', opening);
  const added = JSON.stringify({ at: 9, direction: 'in', frame: { jsonrpc: '2.0', ...end[1] } });
  const { code, stdout } = await turnwire(['trace', 'view', file, '--follow'], {
    cwd: fixture.project,
    meanwhile: (child) => {
      let seen = '';
      child.stdout?.on('data', (text: Buffer) => {
        const before = seen;
        seen += String(text);
        const isNew = (word: string): boolean => seen.includes(word) && !before.includes(word);
        if (isNew('session/prompt #2')) void appendFile(join(fixture.project, file), `${added}\n`);
        if (isNew('answer #2')) child.kill('SIGINT');
      });
    },
  });
  expect([code, stdout.split('\n').slice(-3)]).toEqual([
    0,
    [
      expect.stringMatching(/^ +4\.0 ms {2}→ session\/prompt #2/),
      expect.stringMatching(/^ +9\.0 ms {2}← session\/prompt answer #2 after 5\.0 ms/),
      '',
    ],
  ]);
});
