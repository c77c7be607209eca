import { expect, test } from 'vitest';
import type { McpServer } from '@turnwire/protocol';
import { isAlive, untilEnded } from '../../../packages/transports/test/process-life.ts';
import { CoderProcess, until } from './coder-process.ts';
import { hostile, McpSession } from './mcp-session.ts';

test('a server that never answers delays a prompt only briefly', async () => {
  await using session = await McpSession.open({ servers: [hostile('silent')], limits: { promptWait: 300 } });
  expect(await session.prompt()).toEqual({ stopReason: 'end_turn' });
  await session.prompt();
  expect(session.notices).toEqual([
    'The MCP server bad is not connected yet. It can be used once it is; /mcp shows its state.',
  ]);
  await session.prompt('/mcp');
  expect(session.said).toContain('silent`): connecting');
});

test('a connection attempt to a server that never answers ends', async () => {
  await using session = await McpSession.open({ servers: [hostile('silent')], limits: { connectLimit: 300 } });
  await session.prompt();
  expect(session.notices).toEqual(['The MCP server bad cannot be used: it did not answer within 0.3 s.']);
});

test('a turn that waits for a server can be cancelled', async () => {
  await using session = await McpSession.open({ servers: [hostile('silent')] });
  const turn = session.prompt();
  await until(() => session.saidThatItWaits);
  await session.cancel();
  expect(await turn).toEqual({ stopReason: 'cancelled' });
});

test('a server that ends at once is reported, with the end of its output', async () => {
  await using session = await McpSession.open({ servers: [hostile('exit')] });
  await session.prompt();
  expect(session.notices).toEqual([
    'The MCP server bad cannot be used: it ended with exit code 3. The end of its output:\nfirst line\nno database at this address',
  ]);
});

test('a server that ends before its first message is reported too', async () => {
  const servers = ['one', 'two', 'three'].map((name): McpServer => {
    return { name, command: 'sh', args: ['-c', 'echo no such option >&2; exit 3'], env: [] };
  });
  await using session = await McpSession.open({ servers });
  await session.prompt();
  expect(session.notices.toSorted()).toEqual(
    ['one', 'three', 'two'].map(
      (name) =>
        `The MCP server ${name} cannot be used: it ended with exit code 3. The end of its output:\nno such option`,
    ),
  );
});

test('a server with an unsupported protocol version is reported', async () => {
  await using session = await McpSession.open({ servers: [hostile('old')] });
  await session.prompt();
  expect(session.notices).toEqual([
    `The MCP server bad cannot be used: Server's protocol version is not supported: 1999-01-01.`,
  ]);
});

test('a hanging call ends at its timeout', async () => {
  await using session = await McpSession.open({
    servers: [hostile('hang')],
    answers: [['bad__use', {}]],
    limits: { callLimit: 300 },
  });
  await session.prompt();
  expect(session.results).toEqual([
    { type: 'error-text', value: 'The MCP server bad was cancelled: it took longer than 0.3 s.' },
  ]);
});

test('a server that dies during a call is restarted, a limited number of times', async () => {
  await using session = await McpSession.open({
    servers: [hostile('die')],
    answers: Array.from({ length: 7 }, (_, turn) => ['bad__use', { turn }] as const),
    limits: { reconnectPause: 1 },
  });
  await session.prompt();
  const lost =
    'The MCP server bad was lost during the call: it ended with exit code 9\nWhether the call had any effect is not known. The next call reconnects it.';
  const left =
    'The MCP server bad failed 5 times in a row and is not started again: it ended with exit code 9\nThe user can try again with /mcp reconnect bad.';
  expect(session.results.map((result) => (result as { readonly value: string }).value)).toEqual([
    ...Array.from({ length: 5 }, () => lost),
    left,
    left,
  ]);
  await session.prompt('/mcp reconnect bad');
  expect(session.said).toContain('connected, 1 tool, 0 prompts, 0 resources');
});

test('lines on stdout that are not messages are ignored', async () => {
  await using session = await McpSession.open({ servers: [hostile('garbage')], answers: [['bad__use', {}]] });
  await session.prompt();
  expect(session.results).toEqual([{ type: 'text', value: 'use was called 1 times' }]);
});

test('of ten thousand tools the model is offered some and can search for the others', async () => {
  await using session = await McpSession.open({
    servers: [hostile('many')],
    answers: [
      ['find-mcp-tools', { words: 'number 7777' }],
      ['bad__tool7777', { a: 1 }],
      ['bad__tool8888', {}],
    ],
  });
  await session.prompt();
  expect(session.model.offered[0]?.filter((name) => name.startsWith('bad__'))).toHaveLength(128);
  expect(session.offered.slice(126)).toEqual(
    expect.arrayContaining(['bad__tool127', 'bad__tool7777', 'find-mcp-tools']),
  );
  expect(session.results).toEqual([
    { type: 'text', value: expect.stringMatching(/^- bad__tool7777: Does number 7777\n/u) },
    { type: 'text', value: 'tool7777 was called 1 times' },
    { type: 'error-text', value: expect.stringContaining('bad__tool8888') },
  ]);
  expect(session.notices).toEqual([
    'The MCP servers have 10000 tools. The model is offered 128 of them and can search for the others with find-mcp-tools. To offer others, remove servers from the configuration or change their order.',
  ]);
});

test('a list with endless pages is cut', async () => {
  await using session = await McpSession.open({ servers: [hostile('endless')] });
  await session.prompt();
  expect(session.offered).toHaveLength(100);
  expect(session.notices).toEqual(['The MCP server bad: Its list of tools does not end; only the first 100 are used.']);
});

test('a list whose cursors repeat is cut', async () => {
  await using session = await McpSession.open({ servers: [hostile('circle')] });
  await session.prompt();
  expect(session.notices).toEqual(['The MCP server bad: Its list of tools does not end; only the first 2 are used.']);
});

test('tools with invalid descriptions do not affect the others', async () => {
  await using session = await McpSession.open({
    servers: [hostile('crooked')],
    answers: [['bad__good', { path: 'x' }]],
  });
  await session.prompt();
  expect(session.offered).toEqual(['bad__no-schema', 'bad__text-schema', 'bad__other-type', 'bad__loop', 'bad__good']);
  expect(session.results).toEqual([{ type: 'text', value: 'good was called 1 times' }]);
  expect(session.notices).toEqual(['The MCP server bad: 3 of its tools are invalid and left out.']);
});

test('tools get names that models accept', async () => {
  await using session = await McpSession.open({ servers: [hostile('names')] });
  await session.prompt();
  for (const name of session.offered) expect(name).toMatch(/^[\w-]{1,64}$/u);
  expect(new Set(session.offered).size).toBe(4);
});

test('a giant result is cut, with a note', async () => {
  await using session = await McpSession.open({ servers: [hostile('giant')], answers: [['bad__use', {}]] });
  await session.prompt();
  const [{ value }] = session.results as [{ readonly value: string }];
  expect(value).toHaveLength(65_536 + '\n(1934464 more characters of text are left out.)'.length);
  expect(value.endsWith('x\n(1934464 more characters of text are left out.)')).toBe(true);
});

test('a message over the size limit ends the connection', async () => {
  await using session = await McpSession.open({ servers: [hostile('colossal')], answers: [['bad__use', {}]] });
  await session.prompt();
  expect(JSON.stringify(session.results).slice(0, 200)).toContain('it sent a message of more than 16 MiB');
});

test('an invalid result fails its call, and the connection continues', async () => {
  await using session = await McpSession.open({ servers: [hostile('nonsense')], answers: [['bad__use', {}]] });
  await session.prompt();
  const note = '(A part of the result cannot be understood and is left out.)';
  expect(session.results).toEqual([{ type: 'text', value: [note, note, note, note].join('\n') }]);
});

test('an image that is too large is left out', async () => {
  await using session = await McpSession.open({ servers: [hostile('images')], answers: [['bad__use', {}]] });
  await session.prompt();
  expect(session.results).toEqual([{ type: 'text', value: '(A part of 8790 KiB is left out: it is too large.)' }]);
});

test('a server that floods its stderr works all the same', async () => {
  await using session = await McpSession.open({ servers: [hostile('flood')], answers: [['bad__use', {}]] });
  await session.prompt();
  expect(session.results).toEqual([{ type: 'text', value: 'use was called 1 times' }]);
});

test('a server that ignores its end is killed with all its processes', async () => {
  await using session = await McpSession.open({ servers: [hostile('child')] });
  await session.prompt();
  await session.prompt('/mcp log bad');
  const child = Number(/child (\d+)/u.exec(session.said)?.[1]);
  expect(isAlive(child)).toBe(true);
  await session.close();
  await untilEnded(child);
});

test('a server that ignores signals ends with the session', async () => {
  await using session = await McpSession.open({ servers: [hostile('stubborn')] });
  await session.prompt();
  expect(await session.close()).toBeUndefined();
});

test('the secrets of a server are never shown', async () => {
  await using session = await McpSession.open({ servers: [hostile('secret', { TOKEN: 'tok-very-secret' })] });
  await session.prompt();
  await session.prompt('/mcp');
  await session.prompt('/mcp log bad');
  expect(session.said).toContain('token [redacted]');
  expect(JSON.stringify(session.updates)).not.toContain('tok-very-secret');
});

const endings = [
  ['is told to end', (coder: CoderProcess) => coder.child.kill('SIGTERM')],
  ['loses its client', (coder: CoderProcess) => coder.child.stdin?.end()],
  ['is killed', (coder: CoderProcess) => coder.child.kill('SIGKILL')],
] as const;

test.each(endings)('a server and its processes end with an agent that %s', async (_how, end) => {
  await using coder = await CoderProcess.start();
  const session = await coder.open({}, [hostile('child')]);
  let child = 0;
  await until(async () => {
    child = Number(/child (\d+)/u.exec((await session.prompt('/mcp log bad')).said)?.[1] ?? 0);
    return child > 0;
  });
  expect(isAlive(child)).toBe(true);
  end(coder);
  await untilEnded(child);
});
