import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { approveAll, attachAgent } from '@turnwire/client';
import { launchAgent, type LaunchOptions } from '@turnwire/client/node';
import { emptyTranscript, reduce, type TranscriptView } from '@turnwire/client/transcript';
import {
  replayAgent,
  type ReplayEnd,
  type ReplayOptions,
  playTrace,
  type Trace,
  type TraceEvent,
} from '@turnwire/trace';
import { readTrace, traceWriter } from '@turnwire/trace/node';
import type { SessionUpdate } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { folder } from './folder.ts';

const program = (path: string): readonly string[] => [
  process.execPath,
  bundleProgram(fileURLToPath(new URL(path, import.meta.url))),
];
const coder = program('../../../apps/coder/src/main.ts');
const replayer = program('./fixtures/replay-trace.ts');

/** A trace of frames: `>` marks frames of the client, `<` those of the agent. */
function traceOf(...frames: readonly (readonly ['>' | '<', unknown])[]): Trace {
  const header = { turnwireTrace: 1, id: 'x', part: 0, startedAt: '', side: 'client' } as const;
  const events = frames.map(([side, frame], index): TraceEvent => ({
    at: index,
    direction: side === '>' ? 'out' : 'in',
    frame,
    where: `line ${index + 2}`,
  }));
  return { header, events, problems: [] };
}

/** A hand-written client end of a replay: sends at once and collects what arrives. */
function rawClient(
  trace: Trace,
  options: ReplayOptions = {},
): {
  send: (frame: object) => void;
  received: unknown[];
  next: () => Promise<unknown>;
  end: () => Promise<ReplayEnd>;
} {
  const [here, there] = memoryPair();
  const ended = playTrace(trace, there, options);
  const received: unknown[] = [];
  let seen = 0;
  let arrived = (): void => undefined;
  here.start({
    frame: (text) => {
      received.push(JSON.parse(text));
      arrived();
      return undefined;
    },
    warning: () => undefined,
    end: () => undefined,
  });
  const next = async (): Promise<unknown> => {
    while (received.length <= seen) await new Promise<void>((resolve) => (arrived = resolve));
    return received[seen++];
  };
  const end = async (): Promise<ReplayEnd> => {
    await here.close();
    return ended;
  };
  return { send: (frame) => void here.send(JSON.stringify(frame)), received, next, end };
}

const update = { method: 'session/update', params: { n: 1 } };

test('a replay answers with the ids of the current client', async () => {
  const client = rawClient(traceOf(['>', { id: 7, method: 'a' }], ['<', update], ['<', { id: 7, result: 'A' }]));
  client.send({ id: 'mine', method: 'a', params: 'others' });
  expect([await client.next(), await client.next(), await client.end()]).toEqual([
    update,
    { id: 'mine', result: 'A' },
    { mismatches: [] },
  ]);
});

test('consecutive recorded requests may arrive in any order', async () => {
  const trace = traceOf(
    ['>', { id: 1, method: 'a' }],
    ['>', { id: 2, method: 'b' }],
    ['<', { id: 1, result: 'A' }],
    ['<', { id: 2, result: 'B' }],
  );
  const client = rawClient(trace);
  client.send({ id: 10, method: 'b' });
  client.send({ id: 11, method: 'a' });
  expect([await client.next(), await client.next(), await client.end()]).toEqual([
    { id: 11, result: 'A' },
    { id: 10, result: 'B' },
    { mismatches: [] },
  ]);
});

test("the agent's requests are sent in order, and the replay continues once they are answered", async () => {
  const ask = { id: 1, method: 'session/request_permission' };
  const client = rawClient(
    traceOf(['>', { id: 1, method: 'a' }], ['<', ask], ['>', { id: 1, result: 'yes' }], ['<', { id: 1, result: 'A' }]),
  );
  client.send({ id: 5, method: 'a' });
  expect(await client.next()).toEqual(ask);
  client.send({ id: 1, error: { code: 1, message: 'no' } });
  expect([await client.next(), await client.end()]).toEqual([{ id: 5, result: 'A' }, { mismatches: [] }]);
});

test('an unexpected request is answered with an error that names the expected one, and the replay continues', async () => {
  const client = rawClient(
    traceOf(['>', { id: 1, method: 'a' }], ['<', { id: 1, result: 'A' }], ['>', { id: 2, method: 'b' }]),
  );
  const message = 'The trace has a (line 2) here, but the client sent c';
  client.send({ id: 1, method: 'c' });
  expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32600, message } });
  client.send({ id: 2, method: 'a' });
  expect([await client.next(), await client.end()]).toEqual([
    { id: 2, result: 'A' },
    { mismatches: [message], expected: 'b (line 4)' },
  ]);
});

test('a request that arrives early, while only an answer is expected, waits', async () => {
  const ask = { id: 1, method: 'ask' };
  const client = rawClient(
    traceOf(
      ['<', ask],
      ['>', { id: 1, result: 'yes' }],
      ['<', update],
      ['>', { id: 2, method: 'b' }],
      ['<', { id: 2, result: 'B' }],
    ),
  );
  expect(await client.next()).toEqual(ask);
  client.send({ id: 9, method: 'b' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(client.received).toEqual([ask]);
  client.send({ id: 1, result: 'yes' });
  expect([await client.next(), await client.next(), await client.end()]).toEqual([
    update,
    { id: 9, result: 'B' },
    { mismatches: [] },
  ]);
});

test('a recorded $/cancel_request need not be sent again', async () => {
  const cancel = { method: '$/cancel_request', params: { requestId: 1 } };
  const client = rawClient(traceOf(['>', { id: 1, method: 'a' }], ['>', cancel], ['<', { id: 1, result: 'A' }]));
  client.send({ id: 1, method: 'a' });
  expect([await client.next(), await client.end()]).toEqual([{ id: 1, result: 'A' }, { mismatches: [] }]);
});

test('requests after the end of the trace, and requests it never answers, are refused', async () => {
  const client = rawClient(traceOf(['>', { id: 1, method: 'a' }]));
  client.send({ id: 1, method: 'a' });
  client.send({ method: '$/cancel_request' });
  client.send({ id: 2, method: 'b' });
  const error = (id: number, message: string): object => ({ jsonrpc: '2.0', id, error: { code: -32600, message } });
  expect([await client.next(), await client.next(), await client.end()]).toEqual([
    error(1, 'The trace ends before this request was answered'),
    error(2, 'The trace is over, but the client sent b'),
    { mismatches: ['The trace is over, but the client sent b'] },
  ]);
});

test('recorded pauses are kept on request, and end when the client closes', async () => {
  const { events, ...rest } = traceOf(['>', { id: 1, method: 'a' }], ['<', update], ['<', { id: 1, result: 'A' }]);
  const hour = 3_600_000;
  const slow = { ...rest, events: events.map((event, index) => ({ ...event, at: index * hour })) };
  const fast = rawClient(slow, { speed: hour });
  fast.send({ id: 1, method: 'a' });
  expect([await fast.next(), await fast.next()]).toEqual([update, { id: 1, result: 'A' }]);
  const patient = rawClient(slow, { speed: 1 });
  patient.send({ id: 1, method: 'a' });
  expect([await patient.end(), patient.received]).toEqual([{ mismatches: [] }, []]);
});

test('a trace recorded by an agent is replayed from its side', async () => {
  const trace = traceOf(['<', { id: 1, method: 'a' }], ['>', { id: 1, result: 'A' }]);
  const client = rawClient({ ...trace, header: { ...trace.header, side: 'agent' } });
  client.send({ id: 4, method: 'a' });
  expect([await client.next(), await client.end()]).toEqual([{ id: 4, result: 'A' }, { mismatches: [] }]);
});

test('the connection ends where the recorded agent exited', async () => {
  const { events, ...rest } = traceOf(
    ['>', { id: 0, method: 'initialize' }],
    ['<', { id: 0, result: { protocolVersion: 1 } }],
  );
  const exit: TraceEvent = { at: 3, type: 'exit', code: 1, where: 'line 4' };
  const agent = await attachAgent(replayAgent({ ...rest, events: [...events, exit, ...events] }));
  await agent.closed;
  await expect(agent.newSession({ cwd: '/' })).rejects.toMatchObject({ code: 'connection-closed' });
});

/** Makes the built-in agent work with a file, and returns the result. */
async function conversation(
  command: readonly string[],
  options: LaunchOptions & { readonly project: string },
): Promise<unknown> {
  const agent = await launchAgent(command, { permission: approveAll, ...options });
  onTestFinished(() => agent.close().then(() => undefined));
  const updates: SessionUpdate[] = [];
  let view: TranscriptView = emptyTranscript();
  const session = await agent.newSession({
    cwd: options.project,
    onUpdate: (update) => {
      updates.push(update);
      view = reduce(view, { at: 0, type: 'update', update });
    },
  });
  const prompts = ['create notes.txt with "alpha"', 'read notes.txt then run echo done'];
  const results = [];
  for (const prompt of prompts) results.push(await session.prompt(prompt));
  await agent.close();
  return { info: agent.info, id: session.id, results, updates, entries: [...view.entries] };
}

test('a real conversation is the same when it is replayed by a process', async () => {
  const directory = await folder();
  const [project, path] = [join(directory, 'project'), join(directory, 'trace.jsonl')];
  await mkdir(project);
  const writer = traceWriter({ path });
  const real = await conversation(coder, { project, tap: writer.tap, env: { MY_API_KEY: 'S3CRET-VALUE' } });
  await writer.close();
  const trace = await readTrace(path);
  expect([trace.problems, trace.events.length > 10]).toEqual([[], true]);
  expect(await conversation([...replayer, path], { project })).toEqual(real);
  expect(real).toMatchObject({ results: [{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }] });
});

test('a file that is not a trace ends the replay with the reason', async () => {
  const path = join(await folder(), 'notes.txt');
  await writeFile(path, 'hello\n');
  await expect(launchAgent([...replayer, path])).rejects.toThrow(
    'notes.txt is not a trace: line 1 is not a JSON object',
  );
});
