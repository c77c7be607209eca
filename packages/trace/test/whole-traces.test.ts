import { appendFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type KnownFrame,
  normaliseTrace,
  redactTrace,
  replayAgent,
  replayClient,
  type Trace,
  traceOf,
} from '@turnwire/trace';
import { followTrace, readTrace, writeTrace } from '@turnwire/trace/node';
import { folder, jsonLines } from './folder.ts';

type Line = readonly [direction: 'in' | 'out', content: object];

function frames(...lines: readonly Line[]): readonly KnownFrame[] {
  return lines.map(([direction, content], at) => ({
    at,
    direction,
    text: JSON.stringify({ jsonrpc: '2.0', ...content }),
  }));
}

function chunk(text: string, sessionId = 's1'): Line {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  return ['in', { method: 'session/update', params: { sessionId, update } }];
}

/** A run with its own ids. */
function run({ id, session, words }: { id: number; session: string; words: readonly string[] }): readonly KnownFrame[] {
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
  return frames(
    ['out', { id, method: 'initialize', params: { protocolVersion: 1 } }],
    ['in', { id, result: { protocolVersion: 1 } }],
    ['out', { id: id + 1, method: 'session/new', params: { cwd: '/p', mcpServers: [] } }],
    ['in', { id: id + 1, result: { sessionId: session } }],
    ['out', { id: id + 2, method: 'session/prompt', params: { sessionId: session, prompt: [] } }],
    ...words.map((word) => chunk(word, session)),
    [
      'in',
      {
        id,
        method: 'session/request_permission',
        params: { sessionId: session, toolCall: { toolCallId: session }, options },
      },
    ],
    ['out', { id, result: { outcome: { outcome: 'selected', optionId: 'yes' } } }],
    ['in', { id: id + 2, result: { stopReason: 'end_turn' } }],
  );
}

const first = run({ id: 0, session: 's1', words: ['one ', 'two ', 'three'] });

function linesOf(trace: Trace): readonly string[] {
  return normaliseTrace(trace).map(({ line }) => line);
}

test('frames written from memory are read back unchanged', async () => {
  const path = join(await folder(), 'deep', 'run.jsonl');
  const odd: readonly KnownFrame[] = [
    { at: 1.23456, direction: 'in', text: 'no \ufffd text', flaw: 'not UTF-8' },
    { at: 2, direction: 'out', text: '{"token":"secret-secret","x":"my-word"}' },
  ];
  await writeTrace(odd, { path, header: { side: 'agent', agent: 'a' }, secrets: ['my-word'] });
  const { header, events, problems } = await readTrace(path);
  expect({ side: header.side, agent: header.agent, events, problems, mode: (await stat(path)).mode & 0o777 }).toEqual({
    side: 'agent',
    agent: 'a',
    mode: 0o600,
    problems: [],
    events: [
      { at: 1.235, direction: 'in', frame: 'no \ufffd text', flaw: 'not UTF-8', where: 'line 2' },
      { at: 2, direction: 'out', frame: { token: '[redacted]', x: '[redacted]' }, where: 'line 3' },
    ],
  });
});

test('a trace without frames is valid, and an existing file is rotated', async () => {
  const path = join(await folder(), 'run.jsonl');
  await writeTrace(first, { path });
  await writeTrace([], { path });
  expect([(await readTrace(path)).events, (await jsonLines(`${path}.1`)).length]).toEqual([[], first.length + 1]);
});

test('a trace can be redacted again', () => {
  const trace = traceOf(
    frames(['out', { id: 0, method: 'session/prompt', params: { prompt: [{ type: 'text', text: 'a mystery' }] } }]),
  );
  const told = { at: 1, type: 'launch', command: ['agent', '--at', 'host.internal'], where: 'line 3' };
  const lines = redactTrace(
    { ...trace, events: [...trace.events, told] },
    { keepPrompts: false, secrets: ['host.internal'] },
  );
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    trace.header,
    {
      at: 0,
      direction: 'out',
      frame: {
        jsonrpc: '2.0',
        id: 0,
        method: 'session/prompt',
        params: { prompt: [{ type: 'text', text: '[redacted]' }] },
      },
    },
    { at: 1, type: 'launch', command: ['agent', '--at', '[redacted]'] },
  ]);
});

test('equivalent runs in different folders normalise to the same frames', () => {
  const inFolder = (folder: string, text: string): Trace =>
    traceOf(
      frames(
        ['out', { id: 1, method: 'session/new', params: { cwd: folder, mcpServers: [] } }],
        ['out', { id: 2, method: 'session/new', params: { cwd: `${folder}/inner`, mcpServers: [] } }],
        ['in', { id: 3, method: 'fs/read_text_file', params: { path: `${folder}/a.txt` } }],
        chunk(text),
      ),
    );
  const said = (folder: string): string => `${folder}, ${folder}/inner/b.txt, file://${folder}.`;
  const here = linesOf(inFolder('/tmp/a(1', said('/tmp/a(1')));
  expect(here).toEqual(linesOf(inFolder('/home/me', said('/home/me'))));
  expect(here.slice(2)).toEqual([
    '← {"id":"agent-1","jsonrpc":"2.0","method":"fs/read_text_file","params":{"path":"folder-1/a.txt"}}',
    expect.stringContaining('"text":"folder-1, folder-2/b.txt, file://folder-1."'),
  ]);
  expect(linesOf(inFolder('/tmp/p', '/tmp/p-not /tmp/p.txt /x/tmp/p')).at(-1)).toContain(
    '/tmp/p-not /tmp/p.txt /x/tmp/p',
  );
});

test('equivalent runs normalise to the same frames regardless of ids and chunk boundaries', () => {
  const other = run({ id: 40, session: 'another', words: ['one t', 'wo three'] });
  expect(linesOf(traceOf(other))).toEqual(linesOf(traceOf(first)));
  expect(linesOf(traceOf(first)).filter((line) => line.includes('chunk'))).toEqual([
    '← {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"session-1","update":{"content":{"text":"one two three","type":"text"},"sessionUpdate":"agent_message_chunk"}}}',
  ]);
});

test('a trace of the agent side normalises to the view of its client', () => {
  const turned = first.map((frame): KnownFrame => ({ ...frame, direction: frame.direction === 'in' ? 'out' : 'in' }));
  expect(linesOf(traceOf(turned, { header: { side: 'agent' } }))).toEqual(linesOf(traceOf(first)));
});

test('the replayed client and agent of a trace complete it together', async () => {
  const trace = traceOf(first);
  const end = await replayClient(trace, replayAgent(trace));
  expect([end.differences, linesOf(traceOf(end.frames))]).toEqual([[], linesOf(trace)]);
});

test('a replayed client uses the session ids of the current agent', async () => {
  const other = traceOf(run({ id: 7, session: 'new-one', words: ['else'] }));
  const end = await replayClient(traceOf(first), replayAgent(other));
  const prompt = end.frames.find(({ text }) => text.includes('session/prompt'));
  expect([end.differences, JSON.parse(prompt?.text ?? '')]).toEqual([
    [],
    { jsonrpc: '2.0', id: 2, method: 'session/prompt', params: { sessionId: 'new-one', prompt: [] } },
  ]);
});

test('a replayed client reports where the agent deviates', async () => {
  const asking = frames(
    ['out', { id: 0, method: 'initialize', params: {} }],
    ['in', { id: 5, method: 'fs/read_text_file', params: { path: '/p' } }],
    ['out', { id: 5, error: { code: -32_601, message: 'no' } }],
    ['in', { id: 0, error: { code: -32_603, message: 'broken' } }],
  );
  const end = await replayClient(traceOf(first.slice(0, 4)), replayAgent(traceOf(asking)), { timeout: 60_000 });
  expect(end.differences).toEqual([
    'The agent called fs/read_text_file, which is not in the trace',
    'frame 2 has a result, but the agent now sent an error',
    'frame 4 has a result, but the agent now sent an error',
  ]);
});

test('a replayed client waits for a missing frame until the timeout, and not at all if the agent is gone', async () => {
  const short = traceOf(first.slice(0, 4));
  const late = await replayClient(traceOf(first), replayAgent(short), { timeout: 50 });
  const noExit = { ...short, events: [...short.events, { at: 9, type: 'exit', where: 'line 9' }] };
  const gone = await replayClient(traceOf(first), replayAgent(noExit));
  expect([late.differences, gone.differences]).toEqual([
    ['The trace has session/request_permission (frame 9) here, but it did not arrive in time'],
    ['The trace has session/request_permission (frame 9) here, but the agent is gone'],
  ]);
});

test('a trace is followed while it is written, across a rotation', async () => {
  const path = join(await folder(), 'run.jsonl');
  const stop = new AbortController();
  const seen: string[] = [];
  const header = '{"turnwireTrace":1,"id":"x"}\n';
  const steps = [
    () => appendFile(path, '{"at":1,"type":"é"}\n{"at":'),
    () => appendFile(path, '2,"type":"x"}\n'),
    async () => {
      await rename(path, `${path}.1`);
      await writeFile(path, `${header}{"at":3,"type":"x"}\n`);
    },
  ];
  const next = async (): Promise<void> => steps.shift()?.();
  await writeFile(path, header);
  for await (const item of followTrace(path, stop.signal)) {
    seen.push(item.type === 'event' ? `${item.event.at}` : item.type);
    if (seen.at(-1) === '3') stop.abort();
    await next();
  }
  expect(seen).toEqual(['header', '1', '2', 'header', '3']);
});
