import { filled as filledIn } from '../../judge/filled.ts';
import type { RequirementId } from '../../requirements/requirement.ts';
import { at, type RawMessage } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import { WireError } from '../../wire/wire.ts';
import { type AgentOffer, fullAgent, keptSession } from '../agent/agent-offer.ts';
import type { PlayedAgent } from '../agent/played-agent.ts';
import {
  type ClientScenario,
  type ClientScripts,
  type ClientStage,
  didNot,
  type Done,
  type Values,
} from '../client-stage.ts';
import type { ClientAction } from '../drive/client-driver.ts';
import type { PlayedAnswer, SeenRequest } from '../launch/played-server.ts';
import type { PlayedTurn } from '../played-turn.ts';
import { cancelled, untilCancelled } from './cancel.ts';
import { type ExpectedCall, judgeCall } from './expected-call.ts';
import { fixtures } from './fixtures.ts';
import settings from './host/settings.json' with { type: 'json' };
import { continuesNormally, faultOf, reports, reportsDeath, survives, wordsAfter, wordsBefore } from './endings.ts';

/** Answers, updates and lines of an agent, one after the other, and what they come to: a scenario without code of its own. */
export interface Sequence extends Omit<ClientScenario, 'run'> {
  /** The client's task. Default: `prompt`. */
  readonly action?: ClientAction;
  /** What the action names, besides what lies ready for it. */
  readonly values?: Values;
  /** A sequence in which the client shows that it can do such things: it must call what is expected there, else nothing is seen. */
  readonly requires?: string;
  /** A capability that the client must have: else nothing is seen. */
  readonly needs?: string;
  readonly offer?: 'everything' | Partial<AgentOffer>;
  /** An answer of a server, or of what stands before it, that is not what it owes: to a kind of request, or to a call. */
  readonly server?: PlayedAnswer & { readonly to: string };
  /** How calls of the client are answered, by method. Default: as a well-behaved agent does. */
  readonly agent?: Readonly<Record<string, SequenceAnswer>>;
  /** Whether the agent stays when its input ends. */
  readonly stays?: boolean;
  /** Lines that are sent before anything is read. */
  readonly first?: readonly string[];
  /** What is printed on stdout before anything is read, so often. */
  readonly flood?: { readonly text: string; readonly times: number };
  /** Whether the user cancels the turn. */
  readonly cancels?: true;
  /** What happens in a turn. Default: what a well-behaved agent does, if there is a turn. */
  readonly turn?: readonly SequenceStep[];
  /** What the client must call, and how often: else nothing is seen. */
  readonly calls?: string;
  readonly times?: number;
  readonly expects?: readonly ExpectedCall[];
  /** What it must not call: that breaks everything covered that is not judged by its end. */
  readonly never?: readonly string[];
  /** A text that it must not show, or must if it shows later ones: which requirement is broken otherwise, and by what. */
  readonly hidden?: Expected;
  readonly shown?: Expected;
  /** What its end must show of a requirement. */
  readonly then?: Readonly<Partial<Record<RequirementId, Ending>>>;
}

interface Expected {
  readonly text: string;
  readonly requirement: RequirementId;
  readonly fault: string;
}

/** With none of these a call stays unanswered. */
interface SequenceAnswer {
  readonly result?: unknown;
  readonly error?: SequenceError;
  /** A method whose call ends the error: then the call is answered as by a well-behaved agent. */
  readonly until?: string;
  /** How long the answer takes, in milliseconds. */
  readonly pause?: number;
  /** Joins what a well-behaved agent answers to `initialize`. */
  readonly changes?: RawMessage;
  /** Sent in place of an answer. */
  readonly answer?: RawMessage;
  /** Exits with this code in place of an answer. */
  readonly leave?: number;
  /** What is printed on stderr before the answer, so often. */
  readonly prints?: { readonly text: string; readonly times: number };
  /** Updates: of the session before the answer, of another one, and of the session behind the answer. */
  readonly updates?: readonly unknown[];
  readonly foreign?: readonly unknown[];
  readonly afterwards?: readonly unknown[];
}

interface SequenceError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Something an agent does in a turn: one of these. */
interface Step {
  readonly update?: unknown;
  /** As part of what it says, and of what it thinks. */
  readonly content?: unknown;
  readonly line?: string;
  /** In hexadecimal. */
  readonly bytes?: string;
  /** How often the bytes are repeated. */
  readonly times?: number;
  /** Notifications, none of which may be answered (R018). */
  readonly unanswered?: readonly { readonly method: string; readonly params: unknown }[];
  readonly send?: RawMessage;
  /** Sent as a binary frame. */
  readonly binary?: RawMessage;
  readonly notify?: string;
  /** A request that must be answered, at once unless it `mayWait` for a user. */
  readonly ask?: string;
  readonly mayWait?: boolean;
  /** What is broken if it is answered with anything but an error. */
  readonly refused?: RequirementId;
  readonly params?: unknown;
  /** An answer to the prompt, which is the end of the turn unless there is an `end`. */
  readonly answer?: RawMessage;
  readonly end?: RawMessage | null;
  readonly fail?: SequenceError;
  /** Exits with this code, dies of a signal, or breaks the connection in the middle of a message. */
  readonly leave?: number;
  readonly die?: NodeJS.Signals;
  readonly cut?: true;
  /** In milliseconds. */
  readonly pause?: number;
}

/** The words `before` and `after` say where in a turn something happens, `cancelled` that it is waited for. */
type SequenceStep = 'before' | 'after' | 'cancelled' | Step;

type Ending =
  | 'continues'
  | 'survives'
  | 'reports'
  | 'can be left'
  | 'ends'
  | 'reports the death'
  | 'does not ask again';

/** What a client did in a sequence, and the agents that it started for it. */
interface Performed extends Done {
  readonly agents: readonly PlayedAgent[];
  readonly sequence: Sequence;
}

const judges: Readonly<
  Record<Ending, (stage: ClientStage, performed: Performed, requirement: RequirementId) => unknown>
> = {
  continues: continuesNormally,
  survives,
  reports,
  'can be left': canBeLeft,
  ends: canBeLeft,
  'reports the death': reportsDeath,
  'does not ask again': asksOnce,
};

/** What runs the entries of a catalogue that are sequences. */
export function sequencesOf(entries: readonly (Omit<ClientScenario, 'run'> | Sequence)[]): ClientScripts {
  const sequences = entries.filter((entry): entry is Sequence =>
    ['then', 'never', 'expects'].some((key) => key in entry),
  );
  const names = Object.entries(settings).map(([name, value]) => [`$${name}`, value] as const);
  const known = { ...Object.fromEntries(names), $kept: keptSession, $after: wordsAfter };
  return Object.fromEntries(
    sequences.map((sequence) => [
      sequence.id,
      (stage: ClientStage) => {
        const places = { ...known, $folder: stage.folder, $library: stage.beside('library') };
        const required = sequences.find(({ id }) => id === sequence.requires);
        return runSequence(stage, filledIn(sequence, places), required && filledIn(required, places));
      },
    ]),
  );
}

async function runSequence(stage: ClientStage, sequence: Sequence, required?: Sequence): Promise<void> {
  stage.answerOddly = (request) => (isTo(sequence.server?.to, request) ? sequence.server : undefined);
  if (required !== undefined) expectCalls(await perform(stage, required));
  const performed = await perform(stage, sequence);
  expectCalls({ ...performed, sequence: { ...sequence, expects: [] } });
  if (judgeCalled(stage, performed)) return;
  for (const expected of sequence.expects ?? []) judgeCall(stage, performed, expected);
  judgeOutput(stage, performed, sequence);
  const judged = Object.entries(sequence.then ?? {}) as [RequirementId, Ending][];
  for (const [requirement, how] of judged) judges[how](stage, performed, requirement);
}

/** Stops the scenario if the client does not offer, or did not call, what the sequence is about. */
function expectCalls({ agent, agents, end, sequence }: Performed): void {
  const { needs, calls, times = 1, expects = [] } = sequence;
  if (needs !== undefined && !agent.clientOffers(needs)) throw new Stopped(`the client does not offer ${needs}`);
  for (const method of [...(calls === undefined ? [] : [calls]), ...expects.map(({ call }) => [call].flat().join())])
    if (agents.flatMap((each) => each.calls(method)).length < times) throw didNot(`sent no ${method}`, end);
}

/** Judges whether something was called that must not be. Returns whether that was so. */
function judgeCalled({ see }: ClientStage, { agents, sequence }: Performed): boolean {
  const { covers, never = [], then = {} } = sequence;
  const own = covers.filter((requirement) => then[requirement] === undefined);
  const called = agents.flatMap((agent) => never.flatMap((method) => agent.calls(method)));
  const fault = `${String(at(called[0]?.entry.message, 'method'))} was called all the same`;
  if (called.length > 0) return !see.check(own.length === 0 ? covers : own, fault, called);
  if (never.length > 0) see.check(own, undefined);
  return false;
}

function judgeOutput(
  { see }: ClientStage,
  { agent, end: { stdout } }: Done,
  { hidden, shown, then = {} }: Sequence,
): void {
  const isLost = shown !== undefined && stdout.includes(wordsAfter) && !stdout.includes(shown.text);
  if (isLost) see.broken(shown.requirement, shown.fault, agent.journal);
  if (hidden === undefined) return;
  // A client that prints the wire as it is prints this, too.
  const isShown = stdout.includes(hidden.text) && !stdout.includes('"sessionId"');
  if (isShown) see.broken(hidden.requirement, hidden.fault, agent.journal.slice(-5));
  else if (then[hidden.requirement] === undefined) see.held(hidden.requirement);
}

/** Whether a request is of a kind such as `GET`, or carries a call of a method. */
function isTo(to: string | undefined, { method, headers, message }: SeenRequest): boolean {
  if (to === 'GET of a session') return method === 'GET' && headers['acp-session-id'] !== undefined;
  return to !== undefined && (to === method || to === message?.['method']);
}

/** Has the client do its task: to its end, or until it waits for an agent that does not answer. */
async function perform(stage: ClientStage, sequence: Sequence): Promise<Performed> {
  const from = stage.agents.length;
  stage.play((agent) => playSequence(agent, sequence));
  return { ...(await didTask(stage, sequence)), agents: stage.agents.slice(from), sequence };
}

async function didTask(stage: ClientStage, sequence: Sequence): Promise<Done> {
  const {
    action = 'prompt',
    values: given = {},
    needs,
    turn,
    cancels,
    then = {},
    calls = '',
    agent: answers,
  } = sequence;
  const values = { session: keptSession, ...(await fixtures[action]?.(stage, given)), ...given };
  if (Object.values(then).includes('can be left')) {
    const run = await stage.start(action, values);
    const agent = await stage.launched();
    if ((await agent.call(calls)) === undefined) throw new Stopped(`the client sent no ${calls}`);
    return { agent, end: await stage.ended(run, 400) };
  }
  if (turn === undefined) return stage.perform(action, values);
  if (cancels) return cancelled(stage, action, (played) => playTurn(stage, played, turn));
  return stage.turn((played) => playTurn(stage, played, turn), {
    action,
    values,
    hasWarnedBefore: answers !== undefined,
    ...(needs !== undefined && { needs: [needs] }),
  });
}

function playSequence(
  agent: PlayedAgent,
  { offer = {}, agent: answers = {}, first = [], flood, stays = false, needs, turn }: Sequence,
): void {
  if (stays) agent.stay();
  agent.offer(offer === 'everything' ? { capabilities: fullAgent.capabilities } : offer);
  for (const line of first) agent.sendText(line);
  if (flood !== undefined) agent.process.flood(flood.text, flood.times);
  if (needs !== undefined && turn === undefined) begunOnlyWith(agent, needs);
  for (const [method, answer] of Object.entries(answers)) {
    const usual = agent.handler(method);
    agent.handle(method, async (params, request) => {
      if (answer.pause !== undefined) await agent.quiet(answer.pause);
      const isOver = answer.until !== undefined && agent.calls(answer.until).length > 0;
      const ids = { id: request.id, sessionId: params['sessionId'] ?? 'session-1' };
      return isOver ? usual?.(params, request) : answered(agent, answer, ids);
    });
  }
}

/** What a client does not offer is not offered to it either: then there is no session. */
function begunOnlyWith(agent: PlayedAgent, needs: string): void {
  const usual = agent.handler('initialize');
  agent.handle('initialize', (params, request) => {
    if (!agent.clientOffers(needs)) throw new Stopped(`the client does not offer ${needs}`);
    return usual?.(params, request);
  });
}

function answered(agent: PlayedAgent, answer: SequenceAnswer, ids: Ids): unknown {
  const { result, error, changes, updates = [], foreign = [], afterwards = [], leave, prints } = answer;
  if (prints !== undefined) agent.process.print(prints.text.repeat(prints.times));
  if (leave !== undefined) agent.leave(leave);
  for (const update of updates) agent.update(ids.sessionId, update);
  for (const update of foreign) agent.update('somebody-else', update);
  for (const update of afterwards) setImmediate(() => agent.update(ids.sessionId, update));
  if (error !== undefined) fails(error);
  if (answer.answer !== undefined) agent.send({ jsonrpc: '2.0', ...filled(answer.answer, ids) });
  return changes === undefined ? result : { ...agent.introduction(), ...changes };
}

async function playTurn(
  stage: ClientStage,
  turn: PlayedTurn,
  steps: readonly SequenceStep[],
): Promise<RawMessage | null> {
  let end: RawMessage | null = { stopReason: 'end_turn' };
  for (const step of steps) {
    if (step === 'before') turn.say(wordsBefore);
    else if (step === 'after') turn.say(wordsAfter);
    else if (step === 'cancelled') await untilCancelled(stage, turn);
    else {
      for (const key of Object.keys(step)) await keysOfSteps[key]?.(step, turn, stage);
      if (step.answer !== undefined || step.die !== undefined || step.cut === true) end = null;
      if (step.end !== undefined) end = step.end;
    }
  }
  return end;
}

const kindsOfContent = ['agent_message_chunk', 'agent_thought_chunk'];

/** What is done for each key of a step, in the order of the keys. */
const keysOfSteps: Readonly<Record<string, (step: Step, turn: PlayedTurn, stage: ClientStage) => unknown>> = {
  update: ({ update }, turn) => turn.update(filled(update, turn)),
  content: ({ content }, turn) => turn.update(...kindsOfContent.map((sessionUpdate) => ({ sessionUpdate, content }))),
  line: ({ line = '' }, { agent }) => agent.sendText(line),
  bytes: ({ bytes = '', times = 1 }, { agent }) => agent.sendRaw(Buffer.from(bytes.repeat(times), 'hex')),
  unanswered: ({ unanswered = [] }, turn, stage) => judgeSilence(stage, turn, filled(unanswered, turn)),
  send: ({ send = {} }, turn) => turn.agent.send({ jsonrpc: '2.0', ...filled(send, turn) }),
  binary: ({ binary }, turn) =>
    turn.agent.connection.sendBinary?.(JSON.stringify({ jsonrpc: '2.0', ...filled(binary, turn) })),
  notify: ({ notify = '', params }, turn) => turn.agent.notify(notify, filled(params, turn)),
  ask: (step, turn, stage) => askOdd(stage, turn, step),
  answer: ({ answer = {} }, turn) => turn.answer(answer),
  fail: ({ fail }) => fails(fail),
  leave: ({ leave }, { agent }) => agent.leave(leave),
  die: ({ die = 'SIGKILL' }, { agent }) => agent.process.die(die),
  cut: (_step, { agent, sessionId }) => {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: wordsBefore } };
    const message = { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } };
    agent.connection.cutIn(JSON.stringify(message));
  },
  pause: ({ pause = 0 }, { agent }) => agent.quiet(pause),
};

function fails({ code, message, data }: SequenceError = { code: -32_603, message: '' }): never {
  throw new WireError(code, message, data);
}

async function judgeSilence(
  { see }: ClientStage,
  { agent }: PlayedTurn,
  notifications: NonNullable<Step['unanswered']>,
): Promise<void> {
  const from = agent.journal.length;
  for (const { method, params } of notifications) agent.notify(method, params);
  await agent.quiet(200);
  const answers = agent.received(from).filter(({ message }) => message['method'] === undefined);
  see.check('R018', answers.length > 0 && 'a notification was answered', answers);
}

/** A question that must be answered, in whatever way, unless the client gives up. */
async function askOdd({ see }: ClientStage, turn: PlayedTurn, step: Step): Promise<void> {
  const { ask = '', params, mayWait, refused } = step;
  const reply = await turn.agent.askOdd(ask, filled(params, turn), { mayWait });
  if (reply === undefined)
    return see.unseen(refused ?? 'R019', 'the client ended the connection in place of an answer');
  see.held('R019');
  if (refused !== undefined) see.check(refused, reply.error === undefined && `${ask} was not refused`, reply);
}

interface Ids {
  readonly sessionId: unknown;
  readonly id: unknown;
}

/** A value in which `$session` and `$id` are those that are meant, and `$other id` is an id of another type. */
function filled<Value>(value: Value, { sessionId, id }: Ids): Value {
  return filledIn(value, { $session: sessionId, $id: id, '$other id': typeof id === 'number' ? String(id) : 0 });
}

/** What is refused for a reason that stays is not asked for again; something else may be. */
function asksOnce({ see }: ClientStage, { agents, sequence }: Performed, requirement: RequirementId): void {
  const { calls = '' } = sequence;
  const asked = agents.flatMap((agent) => agent.calls(calls));
  const different = new Set(asked.map(({ params }) => JSON.stringify({ ...params, sessionId: '' })));
  const fault = `${calls} was tried ${String(asked.length)} times, though it was refused for good`;
  see.check(requirement, asked.length !== different.size && fault, asked);
}

/** That a client which waits for its agent ends: at the latest when a user interrupts it. */
function canBeLeft({ see }: ClientStage, { agent, end }: Done, requirement: RequirementId): void {
  see.check(requirement, end.how === 'interrupted' ? undefined : faultOf(end), agent.journal.slice(-2));
}
