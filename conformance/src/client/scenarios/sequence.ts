import { filled as filledIn } from '../../judge/filled.ts';
import type { RequirementId } from '../../requirements/requirement.ts';
import { at, type RawMessage } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import { type AgentOffer, keptSession } from '../agent/agent-offer.ts';
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
import { cancelled } from './cancel.ts';
import { type ExpectedCall, judgeCall } from './expected-call.ts';
import { fixtures } from './fixtures.ts';
import settings from './host/settings.json' with { type: 'json' };
import { fails, filled, type Ids, playTurn, type SequenceError, type SequenceStep } from './sequence-steps.ts';
import { continuesNormally, faultOf, reports, reportsDeath, survives, textAfter } from './endings.ts';

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
  /** Version 2: whether the turn itself has the steps that accept and echo the prompt. Default: they come before it. */
  readonly begins?: true;
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

type Ending =
  | 'continues'
  | 'survives'
  | 'reports'
  | 'can be left'
  | 'ends'
  | 'reports the death'
  | 'does not ask again';

/** The end of a client after a sequence, and the agents that it started. */
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
  const { begins } = sequence;
  const values = { session: keptSession, ...(await fixtures[action]?.(context, own)), ...own };
  if (Object.values(then).includes('can be left')) {
    const run = await context.start(action, values);
    const agent = await context.launched();
    if ((await agent.call(calls)) === undefined) throw new Stopped(`the client did not send ${calls}`);
    return { agent, end: await context.ended(run, 400) };
  }
  if (turn === undefined) return context.perform(action, values);
  if (cancels) return cancelled(context, { action, begins }, (played) => playTurn(context, played, turn));
  return context.turn((played) => playTurn(context, played, turn), {
    action,
    values,
    begins,
    mayFailEarly: answers !== undefined,
    ...(needs !== undefined && { needs: [needs] }),
  });
}

function playSequence(
  agent: SimulatedAgent,
  { offer = {}, agent: answers = {}, first = [], flood, stays = false, needs, turn }: Sequence,
): void {
  if (stays) agent.stay();
  if (offer === 'everything') agent.offerEverything();
  else agent.offer(offer);
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
