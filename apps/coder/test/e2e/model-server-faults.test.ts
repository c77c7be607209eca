import { expect, test } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { chat, chatSays, event, FaultServer, hangsUp, refuses, saysNothing, streams } from '../fault-server.ts';
import type { Reply } from '../fault-server.ts';
import { CoderAtWork, CoderHome } from './coder-home.ts';
import type { TurnEnd } from './coder-home.ts';

/** One call of a tool, its input as it is, in a whole answer. */
function calls(name: string, json: string, finish: string = 'tool_calls'): Reply {
  return streams([begins(name, json), chat({}, finish), event('[DONE]')]);
}

function begins(name: string, json: string): string {
  const call = { index: 0, id: 'c1', type: 'function', function: { name, arguments: json } };
  return chat({ role: 'assistant', tool_calls: [call] });
}

const answers = (words: string): Reply => streams(chatSays(words));
const soon = { 'retry-after-ms': '5' };
const writing = JSON.stringify({ path: 'made.txt', content: 'made\n' });

/** A working server sends within this time, also on a busy machine. */
const seconds = Math.ceil(within(1_000) / 1_000);

/** What came of a turn. */
interface Outcome {
  /** The stop reason, or the code and the reason of the error. */
  readonly end: string;
  /** All that was said, or that the error was among it, in the same words. */
  readonly said: string;
  readonly calls: readonly string[];
  readonly files: readonly string[];
}

/** Of each kind one, for which the agent has a process of its own. What is unhandled in this process fails the run, too. */
const apart = new Set(['hangs up', 'stalls once', 'one call']);

/** A turn with a server that does so; afterwards another instance loads the session and continues with a server that works. */
async function turn(title: string, ...replies: readonly Reply[]): Promise<Outcome> {
  await using server = await FaultServer.start(...replies);
  await using home = await CoderHome.open({
    files: { 'notes.txt': 'old\n' },
    settings: { timeouts: { firstByteSeconds: seconds, idleSeconds: seconds, attempts: 2 } },
    env: { TURNWIRE_CODER_MODEL: 'openai-compatible/m' },
  });
  const more = { OPENAI_COMPATIBLE_BASE_URL: server.url };
  await using coder = await (apart.has(title) ? CoderAtWork.start(home, more) : CoderAtWork.startHere(home, more));
  const end = await coder.prompt('Do it.');
  await coder.close();
  await goesOn(home, coder.session.id);
  return { ...outcomeOf(end, coder.said), calls: coder.calls, files: await home.files() };
}

function outcomeOf(end: TurnEnd, said: string): Pick<Outcome, 'end' | 'said'> {
  if ('stopReason' in end) return { end: end.stopReason, said };
  const { model, reason } = end.data as Readonly<Record<string, unknown>>;
  return {
    end: `error ${end.code} of ${String(model)}: ${String(reason)}`,
    said: said.endsWith(`${end.message}\n\n`) ? `${said.slice(0, -end.message.length - 2)}(the error)` : said,
  };
}

/** The session loads in another instance of the agent, with every call settled, and the next prompt is answered. */
async function goesOn(home: CoderHome, id: string): Promise<void> {
  await using healthy = await FaultServer.start(answers('All is well.'));
  await using coder = await CoderAtWork.startHere(home, { OPENAI_COMPATIBLE_BASE_URL: healthy.url }, id);
  const open = coder.calls.filter((call) => !/ (completed|failed)$/.test(call));
  const start = coder.said.length;
  const end = await coder.prompt('And now?');
  expect([open, end, coder.said.slice(start)]).toEqual([[], { stopReason: 'end_turn' }, 'All is well.']);
}

const half = begins('write', writing.slice(0, -8));
const hello = chat({ role: 'assistant', content: 'Hel' });
const three = (call: string): readonly string[] => [call, call, call];
const five = (call: string): readonly string[] => [...three(call), call, call];

const failing: readonly (readonly [string, readonly Reply[], string, Partial<Outcome>])[] = [
  ['streams garbage', [streams([event('{"choices": [garbage'), event('[DONE]')])], '-32603 not-understood', {}],
  ['streams garbage after a word', [streams([hello, event('{{{')])], '-32603 not-understood', { said: 'Hel\n\n' }],
  ['says nothing', [saysNothing], '-32603 stalled', {}],
  ['stalls each time', [streams([hello], 'hang')], '-32603 stalled', { said: 'HelHelHel\n\n' }],
  ['hangs up', [hangsUp], '-32603 connection', {}],
  ['is cut off in a call each time', [streams([half], 'cut')], '-32603 connection', { calls: three('write failed') }],
  [
    'ends in a call each time',
    [streams([begins('write', writing)])],
    '-32603 broke-off',
    { calls: three('write failed') },
  ],
  ['fails with 500 for ever', [refuses(500, { error: { message: 'oops' } }, soon)], '-32603 server-error', {}],
  ['does not take the key', [refuses(401, { error: { message: 'Incorrect API key' } })], '-32603 unauthorized', {}],
  ['answers nothing at all', [answers('')], '-32603 empty-answer', {}],
];

test.each(failing)(
  'a server that %s is reported as an error, and the session continues',
  async (title, replies, end, rest) => {
    const [code, reason] = end.split(' ');
    expect(await turn(title, ...replies)).toEqual({
      end: `error ${code} of openai-compatible/m: ${reason}`,
      calls: [],
      files: ['notes.txt'],
      ...rest,
      said: `${rest.said ?? ''}(the error)`,
    });
  },
);

const passing: readonly (readonly [string, readonly Reply[], Partial<Outcome>])[] = [
  ['stalls once', [streams([hello], 'hang'), answers('lo.')], { said: 'Hello.' }],
  ['is cut off in a call', [streams([half], 'cut'), answers('Hello.')], { calls: ['write failed'] }],
  ['answers 429 once', [refuses(429, { error: { message: 'slow down' } }, soon), answers('Hello.')], {}],
  ['invents a tool', [calls('dance', '{}'), answers('Hello.')], { calls: ['dance failed'] }],
  ['writes input that is no JSON', [calls('write', '{"path": '), answers('Hello.')], { calls: ['write failed'] }],
  ['writes input that does not fit', [calls('write', '{"path": 1}'), answers('Hello.')], { calls: ['write failed'] }],
  ['reaches its length in a call', [calls('write', writing, 'length'), answers('Hello.')], { calls: ['write failed'] }],
];

test.each(passing)('a server that %s is retried, and no call runs twice', async (title, replies, rest) => {
  const expected: Outcome = { end: 'end_turn', said: 'Hello.', calls: [], files: ['notes.txt'], ...rest };
  expect(await turn(title, ...replies)).toEqual(expected);
});

const sameAgain =
  'Stopped: the model made the same tool calls with the same results five times in a row. Give it other instructions, or choose another model.\n\n';
const notCalls =
  'Stopped: five answers in a row had only tool calls that cannot be run. Ask for less at once, or choose another model.\n\n';
let inventions = 0;
const invents: Reply = (response, request) => calls(`dance-${inventions++ % 5}`, '{}')(response, request);

const endless: readonly (readonly [string, Reply, string, Omit<Outcome, 'files' | 'end'>])[] = [
  [
    'one call',
    calls('read', '{"path": "notes.txt"}'),
    'max_turn_requests',
    { said: sameAgain, calls: five('read completed') },
  ],
  ['no JSON', calls('write', '{"path": '), 'max_turn_requests', { said: sameAgain, calls: five('write failed') }],
  ['calls cut off', calls('write', writing, 'length'), 'max_tokens', { said: notCalls, calls: five('write failed') }],
  [
    'tools there are not',
    invents,
    'max_turn_requests',
    { said: notCalls, calls: [0, 1, 2, 3, 4].map((number) => `dance-${number} failed`) },
  ],
];

test.each(endless)(
  'a model that makes %s without end is stopped, and the user is notified',
  async (title, reply, end, rest) => {
    expect(await turn(title, reply)).toEqual({ end, files: ['notes.txt'], ...rest });
  },
);
