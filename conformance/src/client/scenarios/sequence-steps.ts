import { filled as filledIn } from '../../judge/filled.ts';
import type { RequirementId } from '../../requirements/requirement.ts';
import type { RawMessage } from '../../wire/messages.ts';
import { WireError } from '../../wire/wire.ts';
import type { ClientContext } from '../client-context.ts';
import type { SimulatedTurn } from '../simulated-turn.ts';
import { untilCancelled } from './cancel.ts';
import { textAfter, textBefore } from './endings.ts';

/** An error of the agent. */
export interface SequenceError {
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
  /** The result of the turn, sent now. */
  readonly finish?: RawMessage;
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

/**
 * `before` and `after` send ordinary messages; `cancelled` waits for the cancel. The others are of version 2: `accept` answers the prompt,
 * `echo` repeats it as a message, and `running` and `idle` report the state.
 */
export type SequenceStep = NamedStep | Step;

type NamedStep = 'before' | 'after' | 'cancelled' | 'accept' | 'echo' | 'running' | 'idle';

/** Plays the steps of a turn, and returns its result. */
export async function playTurn(
  context: ClientContext,
  turn: SimulatedTurn,
  steps: readonly SequenceStep[],
): Promise<RawMessage | null> {
  let end: RawMessage | null = { stopReason: 'end_turn' };
  for (const step of steps) {
    if (typeof step === 'string') await namedSteps[step](turn, context);
    else {
      for (const key of Object.keys(step)) await keysOfSteps[key]?.(step, turn, context);
      if ((step.answer ?? step.finish ?? step.die ?? step.cut) !== undefined) end = null;
      if (step.end !== undefined) end = step.end;
    }
  }
  return end;
}

const namedSteps: Readonly<Record<NamedStep, (turn: SimulatedTurn, context: ClientContext) => unknown>> = {
  before: (turn) => turn.say(textBefore),
  after: (turn) => turn.say(textAfter),
  cancelled: (turn, context) => untilCancelled(context, turn),
  accept: (turn) => turn.accept(),
  echo: (turn) => turn.echo(),
  running: (turn) => turn.state('running'),
  idle: (turn) => turn.state('idle', { stopReason: 'end_turn' }),
};

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
  finish: ({ finish = {} }, turn) => turn.finish(finish),
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

export function fails({ code, message, data }: SequenceError = { code: -32_603, message: '' }): never {
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

/** The ids that the steps can name. */
export interface Ids {
  readonly sessionId: unknown;
  readonly id: unknown;
  readonly messageId?: string;
}

/** Fills in `$session`, `$message`, `$id`, and `$other id`, an id of another type. */
export function filled<Value>(value: Value, { sessionId, id, messageId = '' }: Ids): Value {
  const other = typeof id === 'number' ? String(id) : 0;
  return filledIn(value, { $session: sessionId, $message: messageId, $id: id, '$other id': other });
}
