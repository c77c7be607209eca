import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { at, type JournalEntry, quoted } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, type AgentStage, inSession } from '../../agent-stage.ts';
import { cancelled } from '../../host/play-host.ts';
import { asSoonAsPossible, beginBusyTurn } from '../../pieces/busy-turn.ts';
import { calm, expectDone, untilReleased, waysToMake } from '../../pieces/preconditions.ts';
import { isGoneWithin } from '../../pieces/running-process.ts';
import { seededIntegers } from '../../pieces/seeded-integers.ts';
import type { RunningTurn } from '../../running-turn.ts';
import type { Session } from '../../session.ts';

/** How often a turn is cancelled at a random moment, at most. */
const moments = 16;

/** What comes after the answer is judged of every connection, as long as one waits for it. */
export const cancelScenarios: AgentScripts = {
  'cancel/idle': inSession(async (session, stage) => {
    const cancel = session.cancel();
    await seeNextTurn(stage, session, [cancel, 'that came before it']);
  }),
  'cancel/command': async (stage) => {
    const session = await cancelCommand(stage);
    const { terminals } = session.host;
    if (terminals.created === 0) return stage.see.unseen('R226', 'the agent ran the command by itself');
    await untilReleased(session);
    const fault = terminals.held.length > 0 && `after a cancel ${terminals.held.join(', ')} was never released`;
    stage.see.check('R226', fault, session.asked('terminal/'));
  },
  'cancel/own-command': async (stage) => void (await cancelCommand(stage)),
  'cancel/permission': inSession(async (session, stage) => {
    const held: ((answer: unknown) => void)[] = [];
    session.onPermission(() => new Promise((resolve) => held.push(resolve)));
    const { turn, asked } = await untilAsked(stage, session);
    const cancel = turn.cancel();
    for (const answer of held) answer(cancelled);
    await seeCancelled(stage, turn, cancel);
    await session.wire.quiet(calm);
    // Whether it would have been created with a yes is not known, so this alone shows nothing.
    if ((await stage.textOf('quince.txt')) !== undefined)
      stage.see.broken('R201', 'the file was created although the permission was cancelled', asked, cancel);
  }),
  // An agent that has finished before it receives the cancel may report that it ended as usual.
  'cancel/words': inSession(async (session, stage) => {
    const text = Array.from({ length: 150 }, (_, nth) => `${nth + 1} quinces`).join(', ');
    const turn = session.begin(stage.steer('say', { text }));
    const word = await turn.until(({ params }) => at(params, 'update', 'sessionUpdate') === 'agent_message_chunk');
    expectDone(word !== undefined, 'say something long');
    const cancel = turn.cancel();
    await turn.endWithin(stage.settings.patience.turn);
    if (typeof turn.stopReason === 'string' && turn.stopReason !== 'cancelled')
      throw new Stopped('the turn ended by itself before the agent received the cancel');
    await seeCancelled(stage, turn, cancel);
    await session.wire.quiet(calm);
  }),
  'cancel/one-session': inSession(async (session, stage) => {
    const other = await session.agent.session();
    const { turn, pid } = await beginBusyTurn(stage, session);
    const cancel = other.cancel();
    const isGone = await isGoneWithin(pid, calm);
    const { answered, stopReason } = turn;
    if (answered !== undefined && !isGone && stopReason !== 'cancelled')
      throw new Stopped('the turn ended by itself, though what it was to do takes long');
    const hasEnded = isGone || answered !== undefined;
    const fault = hasEnded && 'session/cancel of one session ended what was done in another';
    stage.see.check('R078', fault, turn.request, cancel, answered);
    if (answered === undefined) await seeCancelled(stage, turn, turn.cancel());
  }),
  'cancel/any-moment': inSession(async (session, stage) => {
    const began = performance.now();
    // Once with patience, to measure that this prompt takes long without a cancel, and when its work starts.
    const { turn: known, prompt } = await beginBusyTurn(stage, session);
    const usual = performance.now() - began;
    let continuesNormally = await seeCancelled(stage, known, known.cancel());
    const integers = seededIntegers(stage.settings.seed);
    const hasTime = (): boolean => performance.now() - began < stage.settings.patience.answer;
    for (let turns = 0; continuesNormally && turns < moments && hasTime(); turns += 1) {
      const turn = session.begin(prompt);
      if (turns > 0) await delay((integers() / 2 ** 32) * usual * 1.2);
      continuesNormally = await seeCancelled(stage, turn, turn.cancel());
    }
    // What the last one still asked of the client is to be answered.
    await session.wire.quiet(calm);
  }),
};

async function cancelCommand(stage: AgentStage): Promise<Session> {
  const session = await stage.session();
  const { turn, pid } = await beginBusyTurn(stage, session);
  const cancel = turn.cancel();
  const longest = Math.min(asSoonAsPossible, stage.settings.patience.answer);
  const isGone = isGoneWithin(pid, longest);
  if (!(await seeCancelled(stage, turn, cancel))) return session;
  const fault = !(await isGone) && `the command ran on ${longest / 1000} seconds after session/cancel`;
  stage.see.check(['R158', 'R327'], fault, turn.request, cancel);
  await session.wire.quiet(calm);
  await seeNextTurn(stage, session, [cancel, 'that was for the turn before it']);
  return session;
}

/** A cancel is over with the turn that it cancelled, if there was one. */
async function seeNextTurn(
  { see }: AgentStage,
  session: Session,
  [cancel, which]: readonly [JournalEntry, string],
): Promise<void> {
  const turn = await session.says('quince');
  const isCancelled = turn.stopReason === 'cancelled';
  see.check('R164', isCancelled && `a prompt was cancelled by a session/cancel ${which}`, cancel, turn);
}

async function untilAsked(
  stage: AgentStage,
  session: Session,
): Promise<{ readonly turn: RunningTurn; readonly asked: JournalEntry }> {
  for (const prompt of waysToMake) {
    // A result without a question does not show that an answer was ignored.
    await rm(stage.path('quince.txt'), { force: true });
    const turn = session.begin(prompt(stage, 'quince.txt'));
    const asked = await turn.until(({ method }) => method === 'session/request_permission');
    if (asked !== undefined) return { turn, asked };
  }
  throw new Stopped('asked to create a file and to run a command, the agent asked for no permission');
}

/** Judges the answer to a prompt that cannot have ended by itself. Whether it was right. */
async function seeCancelled({ see, settings }: AgentStage, turn: RunningTurn, cancel: JournalEntry): Promise<boolean> {
  const { answered, entries } = turn;
  // It had ended before the cancel, as far as a client can know.
  if (answered !== undefined && entries.indexOf(answered) < entries.indexOf(cancel))
    throw new Stopped('the turn ended by itself, though what it was to do takes long');
  const reply = await turn.endWithin(settings.patience.turn);
  const shown = [turn.request, cancel, reply];
  if (reply === undefined) return see.check('R159', 'after session/cancel the prompt was never answered', shown);
  const failed = reply.error && `a prompt that was cancelled was answered with the error ${quoted(reply.error)}`;
  if (!see.check('R160', failed, shown)) return false;
  const { stopReason } = turn;
  const fault = `a prompt that was cancelled was answered with ${quoted(stopReason)}`;
  return see.check('R159', stopReason !== 'cancelled' && fault, shown);
}
