import { asMessage, at, errorOf, isAnswerTo, type JournalEntry, quoted, type RawMessage } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { ClientScripts, ClientStage, Done, TurnScript } from '../client-stage.ts';
import type { ClientAction } from '../drive/client-driver.ts';
import type { PlayedTurn } from '../played-turn.ts';
import { faultOf, wordsAfter } from './endings.ts';

/** How long a turn runs before it is cancelled, and how long a client at a terminal is watched behind that: in milliseconds. */
const settled = 300;
const stays = 1_500;

export const cancelScenarios: ClientScripts = {
  'cancel/turn': async (stage) => {
    let isThere = false;
    const { end } = await cancelled(stage, 'prompt', async (turn) => {
      const call = { toolCallId: 'slow', title: 'Something slow', status: 'in_progress' };
      turn.update({ sessionUpdate: 'tool_call', ...call });
      await untilCancelled(stage, turn);
      turn.update({ sessionUpdate: 'tool_call_update', toolCallId: 'slow', status: 'failed' });
      turn.say(wordsAfter);
      // Who has left, or leaves now, takes nothing in.
      await turn.agent.quiet(100);
      isThere = !turn.agent.hasEnded;
      return { stopReason: 'cancelled' };
    });
    const fault = faultOf(end);
    if (fault === false && !isThere) throw new Stopped('the client left as soon as it had cancelled the turn');
    stage.see.check('R163', fault);
  },
  'cancel/permissions': async (stage) => {
    await cancelled(stage, 'leave open', async (turn) => {
      const asked = ['ask-1', 'ask-2', 'ask-3'].map((id) => askPermission(turn, id));
      await untilCancelled(stage, turn);
      judgeAnswers(stage, await Promise.all(asked.map((answer) => answer(2_000))));
      return { stopReason: 'cancelled' };
    });
  },
  'cancel/taken-back': async (stage) => {
    const over = new Promise<void>((resolve) =>
      stage.onPrompt(async (turn) => {
        await takeBack(stage, turn);
        resolve();
      }),
    );
    await stage.begin('leave open');
    await stage.orFailure(over);
  },
};

/** Asks for permission. Resolves with the answer if there is one within so many milliseconds. */
function askPermission(
  { agent, sessionId }: PlayedTurn,
  id: string,
): (within: number) => Promise<JournalEntry | undefined> {
  agent.send({ jsonrpc: '2.0', id, method: 'session/request_permission', params: permission(sessionId, id) });
  return (within) => agent.next((message) => isAnswerTo(id, message), { within });
}

/** Asks, and takes the question back. */
async function takeBack({ see }: ClientStage, turn: PlayedTurn): Promise<void> {
  const asked = askPermission(turn, 'taken back');
  await turn.agent.quiet(100);
  turn.agent.notify('$/cancel_request', { requestId: 'taken back' });
  const answer = await asked(1_000);
  if (answer === undefined) throw new Stopped('the client does not know $/cancel_request');
  const isRight = codeOf(answer) === -32_800 || outcomeOf(answer) !== undefined;
  see.check('R172', !isRight && 'it was answered with neither an outcome nor -32800', answer);
}

/** Has a turn begun and cancelled. Who cancels by a signal may end by it, once it has done what it had to. */
export async function cancelled(stage: ClientStage, action: ClientAction, script: TurnScript): Promise<Done> {
  let cancel = (): unknown => undefined;
  stage.onPrompt((turn) => {
    turn.say('A turn that takes long.');
    setTimeout(() => void cancel(), settled);
    return script(turn);
  });
  const { run, agent } = await stage.begin(action);
  cancel = () => run.cancel();
  // A client that was left open is one that stays.
  const patience = action === 'leave open' ? stays : stage.settings.patience.end;
  const end = await stage.orFailure(stage.ended(run, patience));
  const isAsked = end.exit.signal === 'SIGINT' || end.exit.signal === 'SIGTERM';
  return { agent, end: isAsked ? { ...end, exit: { code: 130, signal: null } } : end };
}

/** Resolves when the client cancelled this very turn; stops the scenario if it went instead. */
export async function untilCancelled({ settings }: ClientStage, { agent, sessionId }: PlayedTurn): Promise<void> {
  const isIt = ({ method, params }: RawMessage): boolean =>
    method === 'session/cancel' && at(params, 'sessionId') === sessionId;
  if ((await agent.next(isIt, { within: settings.patience.leave })) === undefined)
    throw new Stopped('the client did not cancel the turn with session/cancel');
}

function judgeAnswers({ see }: ClientStage, answers: readonly (JournalEntry | undefined)[]): void {
  const outcomes = answers.map(outcomeOf);
  const missing = outcomes.filter((outcome) => outcome === undefined).length;
  const unanswered =
    missing > 0 &&
    `${String(missing)} of ${String(answers.length)} permission requests were not answered with an outcome`;
  const isOther = outcomes.some((outcome) => outcome !== 'cancelled');
  const other = isOther && `the permission requests were answered with ${outcomes.join(', ')}`;
  see.check(['R157', 'R199'], unanswered || other, answers);
  const codes = answers.map(codeOf).filter((code) => code !== undefined);
  if (codes.length === 0) return see.unseen('R175', 'the client answers with outcomes, and not with errors');
  const isWrong = codes.some((code) => code !== -32_800);
  see.check('R175', isWrong && `an error has the code ${quoted(codes[0])}`, answers);
}

function outcomeOf(entry: JournalEntry | undefined): unknown {
  return at(entry?.message, 'result', 'outcome', 'outcome');
}

function codeOf(entry: JournalEntry | undefined): unknown {
  return errorOf(asMessage(entry?.message) ?? {})?.code;
}

/** A request for permission to do something that matters. */
export function permission(sessionId: string, toolCallId: string): RawMessage {
  const options = [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ];
  return { sessionId, toolCall: { toolCallId, title: 'Write a file', kind: 'edit', status: 'pending' }, options };
}
