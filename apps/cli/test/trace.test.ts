import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFixture, type AgentFixture } from './agent-fixture.ts';
import { commandWords } from './command.ts';

const update = {
  sessionId: 's1',
  update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'recorded' } },
};
const initialized = { protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: 'recorded', version: '1.0.0' } };
const frames: readonly (readonly [at: number, direction: 'in' | 'out', frame: object])[] = [
  [1, 'out', { id: 0, method: 'initialize', params: { protocolVersion: 1 } }],
  [2, 'in', { id: 0, result: initialized }],
  [3, 'out', { id: 1, method: 'session/new', params: { cwd: '/', mcpServers: [] } }],
  [4.5, 'in', { id: 1, result: { sessionId: 's1' } }],
  [5, 'out', { id: 2, method: 'session/prompt', params: { sessionId: 's1', prompt: [] } }],
  [6, 'in', { method: 'session/update', params: update }],
  [7, 'in', { method: 'session/update\u001b[31m', params: { ...update, sessionId: 's2' } }],
  [8, 'in', { id: 2, result: { stopReason: 'end_turn' } }],
];

async function recorded(fixture: AgentFixture, chosen = frames): Promise<string> {
  const path = join(fixture.project, 'run.jsonl');
  const lines = [
    { turnwireTrace: 1, id: 't', part: 0, startedAt: '2026-01-01T00:00:00.000Z', side: 'client' },
    { at: 0.5, type: 'launch', command: ['agent'] },
    ...chosen.map(([at, direction, frame]) => ({ at, direction, frame: { jsonrpc: '2.0', ...frame } })),
  ];
  await fixture.write(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"at": 9, "dir`);
  return path;
}

/** The lines without sizes. */
function shown(stdout: string): readonly string[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().replace(/\s+\d+ B$/, ''));
}

test('a trace is printed with a line per message, response times and unreadable lines', async () => {
  const fixture = await agentFixture();
  const { code, stdout } = await fixture.run('trace', 'show', await recorded(fixture));
  expect({ code, lines: shown(stdout) }).toEqual({
    code: 0,
    lines: [
      '0.5 ms  · launch {"command":["agent"]}',
      '1.0 ms  → initialize #0',
      '2.0 ms  ← initialize answer #0 after 1.0 ms',
      '3.0 ms  → session/new #1',
      '4.5 ms  ← session/new answer #1 after 1.5 ms',
      '5.0 ms  → session/prompt #2',
      '6.0 ms  ← session/update agent_message_chunk',
      '7.0 ms  ← session/update\ufffd[31m agent_message_chunk',
      '8.0 ms  ← session/prompt answer #2 after 3.0 ms',
      '! line 11 is cut off or not JSON',
    ],
  });
});

test.each([
  [
    ['--method', 'session/prompt'],
    ['5.0 ms  → session/prompt #2', '8.0 ms  ← session/prompt answer #2 after 3.0 ms'],
  ],
  [
    ['--method', 'session/n*'],
    ['3.0 ms  → session/new #1', '4.5 ms  ← session/new answer #1 after 1.5 ms'],
  ],
  [['--session', 's2'], ['7.0 ms  ← session/update\ufffd[31m agent_message_chunk']],
  [
    ['--session', 's1', '--direction', 'in'],
    [
      '4.5 ms  ← session/new answer #1 after 1.5 ms',
      '6.0 ms  ← session/update agent_message_chunk',
      '8.0 ms  ← session/prompt answer #2 after 3.0 ms',
    ],
  ],
])('a trace is filtered by %j', async (filter, lines) => {
  const fixture = await agentFixture();
  expect(shown((await fixture.run('trace', 'show', await recorded(fixture), ...filter)).stdout)).toEqual(lines);
});

test('a trace is printed as JSON', async () => {
  const fixture = await agentFixture();
  const { stdout } = await fixture.run(
    'trace',
    'show',
    await recorded(fixture),
    '--method',
    'session/prompt',
    '--format',
    'json',
  );
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { at: 5, direction: 'out', frame: { jsonrpc: '2.0', ...frames[4]?.[2] }, where: 'line 7' },
    { at: 8, direction: 'in', frame: { jsonrpc: '2.0', ...frames[7]?.[2] }, where: 'line 10' },
  ]);
});

test('a trace replays its agent', async () => {
  const fixture = await agentFixture();
  const path = await recorded(
    fixture,
    frames.filter(([at]) => at !== 7),
  );
  const agent = [process.execPath, ...commandWords, 'trace', 'replay', path].map((word) => `'${word}'`).join(' ');
  expect(await fixture.run('exec', '--agent', agent, 'anything')).toEqual({
    code: 0,
    stdout: 'recorded\n',
    stderr: '',
  });
});

test('a client that differs from the recorded one is reported', async () => {
  const fixture = await agentFixture();
  const path = await recorded(fixture, frames.slice(0, 2));
  const agent = [process.execPath, ...commandWords, 'trace', 'replay', path].map((word) => `'${word}'`).join(' ');
  const { code, stderr } = await fixture.run('exec', '--agent', agent, 'anything');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('The trace is over, but the client sent session/new'),
  });
});

test('a file that is not a trace is refused', async () => {
  const fixture = await agentFixture();
  await fixture.write(join(fixture.project, 'x'), 'hello\n');
  expect([
    await fixture.run('trace', 'show', 'x'),
    await fixture.run('trace', 'show', 'y'),
    await fixture.run('trace', 'replay', 'y'),
  ]).toEqual([
    {
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^turnwire: x is not a trace: line 1 is not a JSON object\./),
    },
    { code: 1, stdout: '', stderr: 'turnwire: y cannot be read: there is no such file\n' },
    { code: 1, stdout: '', stderr: 'turnwire: y cannot be read: there is no such file\n' },
  ]);
});
