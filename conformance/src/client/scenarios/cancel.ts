import { asMessage, at, errorOf, isAnswerTo, type JournalEntry, quoted, type RawMessage } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { ClientScripts, ClientContext, Done, TurnOptions } from '../client-context.ts';
import type { SimulatedTurn, TurnScript } from '../simulated-turn.ts';
import { faultOf, textAfter } from './endings.ts';

/** How long a turn runs before it is cancelled, in milliseconds. */
const settled = 300;
/** How long to wait for the answer to a permission request after the cancel, in milliseconds. */
const late = 300;
/** How long to wait for a client in a terminal after the cancel, in milliseconds. */
const stays = 1_500;

export const cancelScenarios: ClientScripts = {
  'cancel/turn': async (context) => {
    let isConnected = false;
    const { end } = await cancelled(context, {}, async (turn) => {
      turn.toolCall({ toolCallId: 'slow', title: 'Something slow', status: 'in_progress' });
      await untilCancelled(context, turn);
      turn.update({ sessionUpdate: 'tool_call_update', toolCallId: 'slow', status: 'failed' });
      turn.say(textAfter);
      // A client that is exiting no longer processes what it receives.
      await turn.agent.quiet(100);
      isConnected = !turn.agent.hasEnded;
      return { stopReason: 'cancelled' };
    });
    const fault = faultOf(end);
    if (fault === false && !isConnected)
      throw new Stopped('the client disconnected as soon as it had cancelled the turn');
    context.see.check('R163', fault);
  },
  'cancel/permissions': async (context) => {
    await cancelled(context, { action: 'leave open' }, async (turn) => {
      const asked = ['ask-1', 'ask-2', 'ask-3'].map((id) => askPermission(turn, id));
      await untilCancelled(context, turn);
      judgeAnswers(context, await Promise.all(asked.map((answer) => answer(2_000))));
      // An audit rule judges the answer to one that was on its way.
      await askPermission(turn, 'ask-late')(late);
      return { stopReason: 'cancelled' };
    });
  },
  'cancel/taken-back': async (context) => {
    const over = new Promise<void>((resolve) =>
      context.onPrompt(async (turn) => {
        await takeBack(context, turn);
        resolve();
      }),
    );
    await context.begin('leave open');
    await context.orFailure(over);
  },
};

/** Sends a permission request. The returned function resolves with the answer, if it arrives within its limit in milliseconds. */
export function askPermission(turn: SimulatedTurn, id: string): (within: number) => Promise<JournalEntry | undefined> {
  const { agent } = turn;
  agent.send({ jsonrpc: '2.0', id, method: 'session/request_permission', params: permission(turn, id) });
  return (within) => agent.next((message) => isAnswerTo(id, message), { within });
}

/** Sends a permission request and cancels it. */
async function takeBack({ see }: ClientContext, turn: SimulatedTurn): Promise<void> {
  const asked = askPermission(turn, 'taken back');
  await turn.agent.quiet(100);
  turn.agent.notify('$/cancel_request', { requestId: 'taken back' });
  const answer = await asked(1_000);
  if (answer === undefined) throw new Stopped('the client does not support $/cancel_request');
  const isInvented = outcomeOf(answer) === 'selected';
  see.check(
    'R197',
    isInvented && 'the user chose nothing, but the client selected an option when the agent cancelled',
    answer,
  );
  const isRight = codeOf(answer) === -32_800 || outcomeOf(answer) !== undefined;
  see.check(
    'R172',
    !isRight && 'the cancelled permission request was answered with neither an outcome nor -32800',
    answer,
  );
}

/** Begins a turn and cancels it. A client that cancels on a signal may then exit because of that signal. */
export async function cancelled(
  context: ClientContext,
  { action = 'prompt', begins }: Pick<TurnOptions, 'action' | 'begins'>,
  script: TurnScript,
): Promise<Done> {
  let cancel = (): unknown => undefined;
  const play: TurnScript = (turn) => {
    turn.say('A turn that takes long.');
    setTimeout(() => void cancel(), settled);
    return script(turn);
  };
  context.onPrompt(play, { begins });
  const { run, agent } = await context.begin(action);
  cancel = () => run.cancel();
  // With `leave open` the client stays in its terminal.
  const timeout = action === 'leave open' ? stays : context.settings.timeouts.end;
  const end = await context.orFailure(context.ended(run, timeout));
  const isBySignal = end.exit.signal === 'SIGINT' || end.exit.signal === 'SIGTERM';
  return { agent, end: isBySignal ? { ...end, exit: { code: 130, signal: null } } : end };
}

/** Resolves when the client has cancelled this turn; stops the scenario if it disconnects or does not. */
export async function untilCancelled({ settings }: ClientContext, { agent, sessionId }: SimulatedTurn): Promise<void> {
  const isCancel = ({ method, params }: RawMessage): boolean =>
    method === 'session/cancel' && at(params, 'sessionId') === sessionId;
  if ((await agent.next(isCancel, { within: settings.timeouts.leave })) === undefined)
    throw new Stopped('the client did not cancel the turn with session/cancel');
}

function judgeAnswers({ see }: ClientContext, answers: readonly (JournalEntry | undefined)[]): void {
  const outcomes = answers.map(outcomeOf);
  const missing = outcomes.filter((outcome) => outcome === undefined).length;
  const unanswered =
    missing > 0 &&
    `${String(missing)} of ${String(answers.length)} permission requests were not answered with an outcome`;
  const isOther = outcomes.some((outcome) => outcome !== 'cancelled');
  const other = isOther && `the permission requests were answered with ${outcomes.join(', ')}`;
  see.check(['R157', 'R199'], unanswered || other, answers);
  const codes = answers.map(codeOf).filter((code) => code !== undefined);
  if (codes.length === 0) return see.unseen('R175', 'the client answers with outcomes instead of errors');
  const isWrong = codes.some((code) => code !== -32_800);
  see.check(
    'R175',
    isWrong && `a cancelled permission request was answered with the error ${quoted(codes[0])} instead of -32800`,
    answers,
  );
}

export function outcomeOf(entry: JournalEntry | undefined): unknown {
  return at(entry?.message, 'result', 'outcome', 'outcome');
}

export function codeOf(entry: JournalEntry | undefined): unknown {
  return errorOf(asMessage(entry?.message) ?? {})?.code;
}

/** The parameters of a permission request for a change. */
export function permission(turn: SimulatedTurn, toolCallId: string): RawMessage {
  return turn.permission({ toolCallId, title: 'Write a file', kind: 'edit', status: 'pending' });
}
