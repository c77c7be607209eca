import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { at, type JournalEntry, quoted } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, type AgentContext, inSession } from '../../agent-context.ts';
import { cancelled } from '../../host/simulate-host.ts';
import { asSoonAsPossible, beginBusyTurn } from '../../fixtures/busy-turn.ts';
import { calm, expectDone, untilReleased, waysToMake } from '../../fixtures/preconditions.ts';
import { isGoneWithin } from '../../fixtures/running-process.ts';
import { seededIntegers } from '../../fixtures/seeded-integers.ts';
import type { RunningTurn } from '../../running-turn.ts';
import type { Session } from '../../session.ts';

/** Maximum number of turns to cancel at a random moment. */
const moments = 16;

/** An audit rule judges what arrives after the answer, so these scenarios only wait for it. */
export const cancelScenarios: AgentScripts = {
  'cancel/idle': inSession(async (session, context) => {
    const cancel = session.cancel();
    await seeNextTurn(context, session, [cancel, 'sent before it']);
  }),
  'cancel/command': async (context) => {
    const session = await cancelCommand(context);
    const { terminals } = session.host;
    if (terminals.created === 0)
      return context.see.unseen('R226', 'the agent ran the command without a terminal of the client');
    await untilReleased(session);
    const fault = terminals.held.length > 0 && `${terminals.held.join(', ')} was never released after session/cancel`;
    context.see.check('R226', fault, session.requests('terminal/'));
  },
  'cancel/own-command': async (context) => void (await cancelCommand(context)),
  'cancel/permission': inSession(async (session, context) => {
    const held: ((answer: unknown) => void)[] = [];
    session.onPermission(() => new Promise((resolve) => held.push(resolve)));
    const { turn, asked } = await untilAsked(context, session);
    const cancel = turn.cancel();
    for (const answer of held) answer(cancelled);
    await seeCancelled(context, turn, cancel);
    await session.wire.quiet(calm);
    // A missing file proves nothing: it is unknown whether a granted permission would have created it.
    if ((await context.textOf('quince.txt')) !== undefined)
      context.see.broken('R201', 'the file was created although the permission was cancelled', asked, cancel);
  }),
  // An agent that finishes before it receives the cancel may report a normal end.
  'cancel/words': inSession(async (session, context) => {
    const text = Array.from({ length: 150 }, (_, nth) => `${nth + 1} quinces`).join(', ');
    const turn = session.begin(context.steer('say', { text }));
    const word = await turn.until(({ params }) => at(params, 'update', 'sessionUpdate') === 'agent_message_chunk');
    expectDone(word !== undefined, 'say something long');
    const cancel = turn.cancel();
    if (!(await seeAnswered(context, turn, cancel))) return;
    if (typeof turn.stopReason === 'string' && turn.stopReason !== 'cancelled')
      throw new Stopped('the turn ended by itself before the agent received the cancel');
    await seeCancelled(context, turn, cancel);
    await session.wire.quiet(calm);
  }),
  'cancel/one-session': inSession(async (session, context) => {
    const other = await session.agent.session();
    const { turn, pid } = await beginBusyTurn(context, session);
    session.wire.notify('session/cancel', { sessionId: randomUUID() });
    const cancel = other.cancel();
    const isGone = await isGoneWithin(pid, calm);
    const { answered, stopReason } = turn;
    if (answered !== undefined && !isGone && stopReason !== 'cancelled')
      throw new Stopped('the turn ended by itself before its long command did');
    const hasEnded = isGone || answered !== undefined;
    const fault = hasEnded && 'session/cancel for one session ended the work of another';
    context.see.check('R078', fault, turn.request, cancel, answered);
    if (answered !== undefined) return;
    // In one write with a request that the agent begins to answer first.
    const { wire, agent } = session;
    const cancels: JournalEntry[] = [];
    wire.together(() => {
      agent.askForSession().catch(() => undefined);
      cancels.push(turn.cancel());
    });
    await seeCancelled(context, turn, cancels[0] as JournalEntry);
  }),
  'cancel/in-flight': inSession(async (session, context) => {
    const path = await context.file('orchard.txt', 'The third tree is a serviceberry.\n');
    const { wire } = session;
    const held: { method: string; answer: () => void }[] = [];
    let isHolding = true;
    for (const method of ['fs/read_text_file', 'fs/write_text_file', 'terminal/create', 'terminal/wait_for_exit']) {
      const usual = wire.handler(method);
      wire.handle(method, async (params, request) => {
        if (isHolding) await new Promise<void>((resolve) => held.push({ method, answer: resolve }));
        return usual?.(params, request);
      });
    }
    for (const prompt of [context.steer('read', { path }), ...waysToMake.map((way) => way(context, 'quince.txt'))]) {
      const turn = session.begin(prompt);
      await turn.until(({ method }) => /^(?:fs|terminal)\//.test(String(method)));
      if (held.length === 0 || turn.isOver) {
        await turn.end();
        continue;
      }
      const cancel = turn.cancel();
      // The answer of the client reaches the agent after the cancel, as it may.
      await wire.quiet(calm);
      isHolding = false;
      for (const { answer } of held) answer();
      await seeCancelled(context, turn, cancel);
      return;
    }
    throw new Stopped('the agent did not use files or terminals of the client');
  }),
  'cancel/any-moment': inSession(async (session, context) => {
    const began = performance.now();
    // Cancel the first turn only after its command started: this shows that the prompt takes long and measures when its work begins.
    const { turn: known, prompt } = await beginBusyTurn(context, session);
    const usual = performance.now() - began;
    let continuesNormally = await seeCancelled(context, known, known.cancel());
    const integers = seededIntegers(context.settings.seed);
    const hasTime = (): boolean => performance.now() - began < context.settings.timeouts.answer;
    for (let turns = 0; continuesNormally && turns < moments && hasTime(); turns += 1) {
      const turn = session.begin(prompt);
      if (turns > 0) await delay((integers() / 2 ** 32) * usual * 1.2);
      continuesNormally = await seeCancelled(context, turn, turn.cancel());
    }
    // Requests that the last turn sent to the client must still be answered.
    await session.wire.quiet(calm);
  }),
};

async function cancelCommand(context: AgentContext): Promise<Session> {
  const session = await context.session();
  const { turn, pid } = await beginBusyTurn(context, session);
  const cancel = turn.cancel();
  const longest = Math.min(asSoonAsPossible, context.settings.timeouts.answer);
  const isGone = isGoneWithin(pid, longest);
  if (!(await seeCancelled(context, turn, cancel))) return session;
  const fault = !(await isGone) && `the command was still running ${longest / 1000} seconds after session/cancel`;
  context.see.check(['R158', 'R327'], fault, turn.request, cancel);
  await session.wire.quiet(calm);
  await seeNextTurn(context, session, [cancel, 'sent for the previous turn']);
  return session;
}

/** Judges that a cancel does not affect the turn after it. */
async function seeNextTurn(
  { see }: AgentContext,
  session: Session,
  [cancel, which]: readonly [JournalEntry, string],
): Promise<void> {
  const turn = await session.says('quince');
  const isCancelled = turn.stopReason === 'cancelled';
  see.check('R164', isCancelled && `a prompt was cancelled by a session/cancel ${which}`, cancel, turn);
}

async function untilAsked(
  context: AgentContext,
  session: Session,
): Promise<{ readonly turn: RunningTurn; readonly asked: JournalEntry }> {
  for (const prompt of waysToMake) {
    // A file that was created without a question does not show that an answer was ignored.
    await rm(context.path('quince.txt'), { force: true });
    const turn = session.begin(prompt(context, 'quince.txt'));
    const asked = await turn.until(({ method }) => method === 'session/request_permission');
    if (asked !== undefined) return { turn, asked };
  }
  throw new Stopped('the agent did not ask for permission to create a file or to run a command');
}

/** Judges the answer to a prompt whose turn cannot have ended by itself. Returns whether it was correct. */
async function seeCancelled(context: AgentContext, turn: RunningTurn, cancel: JournalEntry): Promise<boolean> {
  const { see, version } = context;
  const { answered, entries } = turn;
  // From the client's view the turn had ended before the cancel.
  if (answered !== undefined && entries.indexOf(answered) < entries.indexOf(cancel))
    throw new Stopped('the turn ended by itself before its long command did');
  if (!(await seeAnswered(context, turn, cancel))) return false;
  const shown = [turn.request, cancel, turn.answered];
  const { error } = turn;
  // In version 2 a prompt may be cancelled before it becomes part of the conversation.
  if (version === 2 && error?.code === -32_800) return see.check('R159', undefined);
  const failed = error && `a cancelled prompt was answered with the error ${quoted(error)}`;
  if (!see.check('R160', failed, shown)) return false;
  const { stopReason } = turn;
  const fault = `a cancelled prompt was answered with the stop reason ${quoted(stopReason)}`;
  return see.check('R159', stopReason !== 'cancelled' && fault, shown);
}

/** Waits for the end of a cancelled turn, and returns whether it came. */
async function seeAnswered({ see, cancels }: AgentContext, turn: RunningTurn, cancel: JournalEntry): Promise<boolean> {
  const within = cancels.milliseconds;
  if ((await cancels.wait(() => turn.endWithin(within))) !== undefined) return true;
  const fault = `the prompt was not answered within ${Math.round(within / 1_000)} s after session/cancel`;
  return see.check('R159', fault, [turn.request, cancel]);
}
