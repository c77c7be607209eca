import { filled as filledIn } from '../../judge/filled.ts';
import type { RequirementId } from '../../requirements/requirement.ts';
import { at, type RawMessage } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import { WireError } from '../../wire/wire.ts';
import { type AgentOffer, fullAgent, keptSession } from '../agent/agent-offer.ts';
import type { SimulatedAgent } from '../agent/simulated-agent.ts';
import {
  type ClientScenario,
  type ClientScripts,
  type ClientContext,
  didNot,
  type Done,
  type Values,
} from '../client-context.ts';
import type { ClientAction } from '../drive/client-driver.ts';
import type { ServerAnswer, SeenRequest } from '../launch/simulated-server.ts';
import type { SimulatedTurn } from '../simulated-turn.ts';
import { cancelled, untilCancelled } from './cancel.ts';
import { type ExpectedCall, judgeCall } from './expected-call.ts';
import { fixtures } from './fixtures.ts';
import settings from './host/settings.json' with { type: 'json' };
import { continuesNormally, faultOf, reports, reportsDeath, survives, textAfter, textBefore } from './endings.ts';

/** A scenario without code: answers, updates and lines of an agent, and the required reaction of the client. */
export interface Sequence extends Omit<ClientScenario, 'run'> {
  /** The action of the client. Default: `prompt`. */
  readonly action?: ClientAction;
  /** Values for the action, in addition to those of its fixtures. */
  readonly values?: Values;
  /**
   * The id of a sequence in which the client shows that it supports this at all: unless it makes the calls expected there, nothing is
   * observed.
   */
  readonly requires?: string;
  /** A capability that the client must advertise; otherwise nothing is observed. */
  readonly needs?: string;
  readonly offer?: 'everything' | Partial<AgentOffer>;
  /** An invalid answer of a server or a proxy, and the kind of request or call that receives it. */
  readonly server?: ServerAnswer & { readonly to: string };
  /** Answers to calls of the client by method. Default: those of a well-behaved agent. */
  readonly agent?: Readonly<Record<string, SequenceAnswer>>;
  /** Whether the agent ignores the end of its input. */
  readonly stays?: boolean;
  /** Lines to send before anything is read. */
  readonly first?: readonly string[];
  /** A text to print on stdout before anything is read, and how often. */
  readonly flood?: { readonly text: string; readonly times: number };
  /** Whether the user cancels the turn. */
  readonly cancels?: true;
  /** The steps of the agent in a turn. Default: those of a well-behaved agent. */
  readonly turn?: readonly SequenceStep[];
  /** A call that the client must make; otherwise nothing is observed. */
  readonly calls?: string;
  /** How often the client must make that call. Default 1. */
  readonly times?: number;
  readonly expects?: readonly ExpectedCall[];
  /** Calls that the client must not make. They break every covered requirement that `then` does not judge. */
  readonly never?: readonly string[];
  /** A text that the client must not show. */
  readonly hidden?: Expected;
  /** A text that the client must show if it shows later ones. */
  readonly shown?: Expected;
  /** How the end of the client is judged, by requirement. */
  readonly then?: Readonly<Partial<Record<RequirementId, Ending>>>;
}

interface Expected {
  readonly text: string;
  readonly requirement: RequirementId;
  readonly fault: string;
}

/** The answer to a call. Without any of these fields the call stays unanswered. */
interface SequenceAnswer {
  readonly result?: unknown;
  readonly error?: SequenceError;
  /** A method. Once it was called, the error no longer applies and calls are answered normally. */
  readonly until?: string;
  /** Milliseconds before the answer. */
  readonly pause?: number;
  /** Fields to add to the normal answer to `initialize`. */
  readonly changes?: RawMessage;
  /** A raw message to send instead of an answer. */
  readonly answer?: RawMessage;
  /** An exit code: the agent exits instead of answering. */
  readonly leave?: number;
  /** A text to print on stderr before the answer, and how often. */
  readonly prints?: { readonly text: string; readonly times: number };
  /** Updates of the session before the answer. */
  readonly updates?: readonly unknown[];
  /** Updates of another session before the answer. */
  readonly foreign?: readonly unknown[];
  /** Updates of the session after the answer. */
  readonly afterwards?: readonly unknown[];
}

interface SequenceError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An action of the agent in a turn. Exactly one of these fields is set, with its parameters. */
interface Step {
  readonly update?: unknown;
  /** A content block, sent as a message and as a thought. */
  readonly content?: unknown;
  readonly line?: string;
  /** Bytes in hexadecimal. */
  readonly bytes?: string;
  /** How often to repeat the bytes. */
  readonly times?: number;
  /** Notifications, which must not be answered (R018). */
  readonly unanswered?: readonly { readonly method: string; readonly params: unknown }[];
  readonly send?: RawMessage;
  /** A message to send in a binary frame. */
  readonly binary?: RawMessage;
  readonly notify?: string;
  /** A request that must be answered: at once, unless it `mayWait` for a user. */
  readonly ask?: string;
  readonly mayWait?: boolean;
  /** The requirement that is broken unless the request is refused. */
  readonly refused?: RequirementId;
  readonly params?: unknown;
  /** An answer to the prompt. It ends the turn unless there is an `end`. */
  readonly answer?: RawMessage;
  readonly end?: RawMessage | null;
  readonly fail?: SequenceError;
  /** Exits with this code. */
  readonly leave?: number;
  /** Dies from a signal. */
  readonly die?: NodeJS.Signals;
  /** Breaks the connection in the middle of a message. */
  readonly cut?: true;
  /** Milliseconds to wait. */
  readonly pause?: number;
}

/** `before` and `after` send ordinary messages; `cancelled` waits for the cancel. */
type SequenceStep = 'before' | 'after' | 'cancelled' | Step;

type Ending =
  | 'continues'
  | 'survives'
  | 'reports'
  | 'can be left'
  | 'ends'
  | 'reports the death'
  | 'does not ask again';

/** What a client did in a sequence, with the agents that it started. */
interface Performed extends Done {
  readonly agents: readonly SimulatedAgent[];
  readonly sequence: Sequence;
}

const judges: Readonly<
  Record<Ending, (context: ClientContext, performed: Performed, requirement: RequirementId) => unknown>
> = {
  continues: continuesNormally,
  survives,
  reports,
  'can be left': canBeLeft,
  ends: canBeLeft,
  'reports the death': reportsDeath,
  'does not ask again': asksOnce,
};

/** The scripts for the catalogue entries that are sequences. */
export function sequencesOf(entries: readonly (Omit<ClientScenario, 'run'> | Sequence)[]): ClientScripts {
  const sequences = entries.filter((entry): entry is Sequence =>
    ['then', 'never', 'expects'].some((key) => key in entry),
  );
  const fixed = Object.entries(settings).map(([name, value]) => [`$${name}`, value] as const);
  const known = { ...Object.fromEntries(fixed), $kept: keptSession, $after: textAfter };
  return Object.fromEntries(
    sequences.map((sequence) => [
      sequence.id,
      (context: ClientContext) => {
        const names = { ...known, $folder: context.folder, $library: context.sibling('library') };
        const required = sequences.find(({ id }) => id === sequence.requires);
        return runSequence(context, filledIn(sequence, names), required && filledIn(required, names));
      },
    ]),
  );
}

async function runSequence(context: ClientContext, sequence: Sequence, required?: Sequence): Promise<void> {
  context.answerOddly = (request) => (isTo(sequence.server?.to, request) ? sequence.server : undefined);
  if (required !== undefined) expectCalls(await perform(context, required));
  const performed = await perform(context, sequence);
  expectCalls({ ...performed, sequence: { ...sequence, expects: [] } });
  if (judgeCalled(context, performed)) return;
  for (const expected of sequence.expects ?? []) judgeCall(context, performed, expected);
  judgeOutput(context, performed, sequence);
  const judged = Object.entries(sequence.then ?? {}) as [RequirementId, Ending][];
  for (const [requirement, how] of judged) judges[how](context, performed, requirement);
}

/** Stops the scenario unless the client advertised and called what the sequence is about. */
function expectCalls({ agent, agents, end, sequence }: Performed): void {
  const { needs, calls, times = 1, expects = [] } = sequence;
  if (needs !== undefined && !agent.clientOffers(needs)) throw new Stopped(`the client does not offer ${needs}`);
  for (const method of [...(calls === undefined ? [] : [calls]), ...expects.map(({ call }) => [call].flat().join())])
    if (agents.flatMap((each) => each.calls(method)).length < times) throw didNot(`did not send ${method}`, end);
}

/** Judges whether the client made a forbidden call. Returns whether it did. */
function judgeCalled({ see }: ClientContext, { agents, sequence }: Performed): boolean {
  const { covers, never = [], then = {} } = sequence;
  const own = covers.filter((requirement) => then[requirement] === undefined);
  const called = agents.flatMap((agent) => never.flatMap((method) => agent.calls(method)));
  const fault = `${String(at(called[0]?.entry.message, 'method'))} was called although it must not be here`;
  if (called.length > 0) return !see.check(own.length === 0 ? covers : own, fault, called);
  if (never.length > 0) see.check(own, undefined);
  return false;
}

function judgeOutput(
  { see }: ClientContext,
  { agent, end: { stdout } }: Done,
  { hidden, shown, then = {} }: Sequence,
): void {
  const isLost = shown !== undefined && stdout.includes(textAfter) && !stdout.includes(shown.text);
  if (isLost) see.broken(shown.requirement, shown.fault, agent.journal);
  if (hidden === undefined) return;
  // A client that prints raw frames prints this text as well.
  const isShown = stdout.includes(hidden.text) && !stdout.includes('"sessionId"');
  if (isShown) see.broken(hidden.requirement, hidden.fault, agent.journal.slice(-5));
  else if (then[hidden.requirement] === undefined) see.held(hidden.requirement);
}

/** Whether a request is of a kind such as `GET`, or carries a call of a method. */
function isTo(to: string | undefined, { method, headers, message }: SeenRequest): boolean {
  if (to === 'GET of a session') return method === 'GET' && headers['acp-session-id'] !== undefined;
  return to !== undefined && (to === method || to === message?.['method']);
}

/** Runs the action of the client to its end, or until it waits for an agent that does not answer. */
async function perform(context: ClientContext, sequence: Sequence): Promise<Performed> {
  const from = context.agents.length;
  context.play((agent) => playSequence(agent, sequence));
  return { ...(await runAction(context, sequence)), agents: context.agents.slice(from), sequence };
}

async function runAction(context: ClientContext, sequence: Sequence): Promise<Done> {
  const { action = 'prompt', values: own = {}, needs, turn, cancels, then = {}, calls = '', agent: answers } = sequence;
  const values = { session: keptSession, ...(await fixtures[action]?.(context, own)), ...own };
  if (Object.values(then).includes('can be left')) {
    const run = await context.start(action, values);
    const agent = await context.launched();
    if ((await agent.call(calls)) === undefined) throw new Stopped(`the client did not send ${calls}`);
    return { agent, end: await context.ended(run, 400) };
  }
  if (turn === undefined) return context.perform(action, values);
  if (cancels) return cancelled(context, action, (played) => playTurn(context, played, turn));
  return context.turn((played) => playTurn(context, played, turn), {
    action,
    values,
    mayFailEarly: answers !== undefined,
    ...(needs !== undefined && { needs: [needs] }),
  });
}

function playSequence(
  agent: SimulatedAgent,
  { offer = {}, agent: answers = {}, first = [], flood, stays = false, needs, turn }: Sequence,
): void {
  if (stays) agent.stay();
  agent.offer(offer === 'everything' ? { capabilities: fullAgent.capabilities } : offer);
  for (const line of first) agent.sendText(line);
  if (flood !== undefined) agent.process.flood(flood.text, flood.times);
  if (needs !== undefined && turn === undefined) startOnlyWith(agent, needs);
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

/** Stops the scenario at `initialize` unless the client advertises the capability. */
function startOnlyWith(agent: SimulatedAgent, needs: string): void {
  const usual = agent.handler('initialize');
  agent.handle('initialize', (params, request) => {
    if (!agent.clientOffers(needs)) throw new Stopped(`the client does not offer ${needs}`);
    return usual?.(params, request);
  });
}

function answered(agent: SimulatedAgent, answer: SequenceAnswer, ids: Ids): unknown {
  const { result, error, changes, updates = [], foreign = [], afterwards = [], leave, prints } = answer;
  if (prints !== undefined) agent.process.print(prints.text.repeat(prints.times));
  if (leave !== undefined) agent.leave(leave);
  for (const update of updates) agent.update(ids.sessionId, update);
  for (const update of foreign) agent.update('another-session', update);
  for (const update of afterwards) setImmediate(() => agent.update(ids.sessionId, update));
  if (error !== undefined) fails(error);
  if (answer.answer !== undefined) agent.send({ jsonrpc: '2.0', ...filled(answer.answer, ids) });
  return changes === undefined ? result : { ...agent.introduction(), ...changes };
}

async function playTurn(
  context: ClientContext,
  turn: SimulatedTurn,
  steps: readonly SequenceStep[],
): Promise<RawMessage | null> {
  let end: RawMessage | null = { stopReason: 'end_turn' };
  for (const step of steps) {
    if (step === 'before') turn.say(textBefore);
    else if (step === 'after') turn.say(textAfter);
    else if (step === 'cancelled') await untilCancelled(context, turn);
    else {
      for (const key of Object.keys(step)) await keysOfSteps[key]?.(step, turn, context);
      if (step.answer !== undefined || step.die !== undefined || step.cut === true) end = null;
      if (step.end !== undefined) end = step.end;
    }
  }
  return end;
}

const kindsOfContent = ['agent_message_chunk', 'agent_thought_chunk'];

/** The effect of each key of a step, applied in the order of the keys. */
const keysOfSteps: Readonly<Record<string, (step: Step, turn: SimulatedTurn, context: ClientContext) => unknown>> = {
  update: ({ update }, turn) => turn.update(filled(update, turn)),
  content: ({ content }, turn) => turn.update(...kindsOfContent.map((sessionUpdate) => ({ sessionUpdate, content }))),
  line: ({ line = '' }, { agent }) => agent.sendText(line),
  bytes: ({ bytes = '', times = 1 }, { agent }) => agent.sendRaw(Buffer.from(bytes.repeat(times), 'hex')),
  unanswered: ({ unanswered = [] }, turn, context) => judgeSilence(context, turn, filled(unanswered, turn)),
  send: ({ send = {} }, turn) => turn.agent.send({ jsonrpc: '2.0', ...filled(send, turn) }),
  binary: ({ binary }, turn) =>
    turn.agent.connection.sendBinary?.(JSON.stringify({ jsonrpc: '2.0', ...filled(binary, turn) })),
  notify: ({ notify = '', params }, turn) => turn.agent.notify(notify, filled(params, turn)),
  ask: (step, turn, context) => askOdd(context, turn, step),
  answer: ({ answer = {} }, turn) => turn.answer(answer),
  fail: ({ fail }) => fails(fail),
  leave: ({ leave }, { agent }) => agent.leave(leave),
  die: ({ die = 'SIGKILL' }, { agent }) => agent.process.die(die),
  cut: (_step, { agent, sessionId }) => {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: textBefore } };
    const message = { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } };
    agent.connection.cutIn(JSON.stringify(message));
  },
  pause: ({ pause = 0 }, { agent }) => agent.quiet(pause),
};

function fails({ code, message, data }: SequenceError = { code: -32_603, message: '' }): never {
  throw new WireError(code, message, data);
}

async function judgeSilence(
  { see }: ClientContext,
  { agent }: SimulatedTurn,
  notifications: NonNullable<Step['unanswered']>,
): Promise<void> {
  const from = agent.journal.length;
  for (const { method, params } of notifications) agent.notify(method, params);
  await agent.quiet(200);
  const answers = agent.received(from).filter(({ message }) => message['method'] === undefined);
  see.check('R018', answers.length > 0 && 'a notification was answered', answers);
}

/** Sends a request that must be answered in any way, unless the client gives up. */
async function askOdd({ see }: ClientContext, turn: SimulatedTurn, step: Step): Promise<void> {
  const { ask = '', params, mayWait, refused } = step;
  const reply = await turn.agent.askOdd(ask, filled(params, turn), { mayWait });
  if (reply === undefined)
    return see.unseen(refused ?? 'R019', 'the client closed the connection instead of answering');
  see.held('R019');
  if (refused !== undefined) see.check(refused, reply.error === undefined && `${ask} was not refused`, reply);
}

interface Ids {
  readonly sessionId: unknown;
  readonly id: unknown;
}

/** Fills in `$session`, `$id`, and `$other id`, an id of another type. */
function filled<Value>(value: Value, { sessionId, id }: Ids): Value {
  return filledIn(value, { $session: sessionId, $id: id, '$other id': typeof id === 'number' ? String(id) : 0 });
}

/** Judges that the client does not repeat a call that was refused for a permanent reason. Different calls are allowed. */
function asksOnce({ see }: ClientContext, { agents, sequence }: Performed, requirement: RequirementId): void {
  const { calls = '' } = sequence;
  const asked = agents.flatMap((agent) => agent.calls(calls));
  const different = new Set(asked.map(({ params }) => JSON.stringify({ ...params, sessionId: '' })));
  const fault = `${calls} was sent ${String(asked.length)} times although it was refused permanently`;
  see.check(requirement, asked.length !== different.size && fault, asked);
}

/** Judges that a client which waits for its agent exits, at the latest when a user interrupts it. */
function canBeLeft({ see }: ClientContext, { agent, end }: Done, requirement: RequirementId): void {
  see.check(requirement, end.how === 'interrupted' ? undefined : faultOf(end), agent.journal.slice(-2));
}
