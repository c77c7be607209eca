import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { JournalEntry } from '../../../wire/journal.ts';
import { asMessage, type Reply } from '../../../wire/messages.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { bareClient } from '../../host/client-offer.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { beginBusyTurn } from '../../pieces/busy-turn.ts';
import type { RunningTurn } from '../../running-turn.ts';
import { askedIn, entriesOf, outputsIn } from '../../pieces/frames.ts';
import { isGoneWithin } from '../../pieces/running-process.ts';
import {
  type Begun,
  beginSession,
  calm,
  expectDone,
  textOf,
  untilReleased,
  waysToMake,
} from '../../pieces/preconditions.ts';
import { seededRandom } from '../../pieces/seeded-random.ts';

/** Milliseconds that work has to stop, at most. */
const asSoonAsPossible = 5_000;
/** How often a turn is cancelled at a random moment, at most. */
const moments = 16;

const said = 'agent_message_chunk';

const ofEveryCancel = ['R158', 'R159', 'R160', 'R162', 'R164', 'R327'] as const satisfies readonly RequirementId[];

/** How turns are given up. */
export const cancelScenarios: readonly AgentScenario[] = [
  {
    id: 'cancel/idle',
    title: 'session/cancel without a turn does nothing: the next prompt is not cancelled',
    covers: ['R164'],
    run: async (stage) => {
      const { wire, sessionId } = await beginSession(stage);
      const cancel = wire.notify('session/cancel', { sessionId });
      const { stopReason, reply } = await stage.prompt(wire, sessionId, stage.steer('say', { text: 'quince' }));
      stage.see.check('R164', stopReason !== 'cancelled', {
        otherwise: 'a prompt was cancelled by a session/cancel that came before it',
        evidence: [cancel, reply.entry],
      });
    },
  },
  {
    id: 'cancel/command',
    title:
      'a command in a terminal of the client is stopped, its terminal released and the prompt answered with cancelled',
    covers: [...ofEveryCancel, 'R226'],
    run: async (stage) => {
      const { host, wire } = await cancelCommand(stage);
      if (host.terminals.created === 0) return stage.see.unseen('R226', 'the agent ran the command by itself');
      await untilReleased(wire, host);
      stage.see.check('R226', host.terminals.held.length === 0, {
        otherwise: `after a cancel ${host.terminals.held.join(', ')} was never released`,
        evidence: entriesOf(askedIn(wire.journal, 'terminal/')),
      });
    },
  },
  {
    id: 'cancel/own-command',
    title: 'a command that the agent runs by itself is stopped and the prompt answered with cancelled',
    covers: ofEveryCancel,
    client: bareClient,
    run: async (stage) => void (await cancelCommand(stage)),
  },
  {
    id: 'cancel/permission',
    title: 'while a permission is asked for: nothing is done and the prompt is answered with cancelled',
    covers: ['R159', 'R160', 'R162'],
    run: cancelPermission,
  },
  {
    id: 'cancel/words',
    title: 'while the agent speaks: the prompt is answered with cancelled, not with an error',
    covers: ['R159', 'R160', 'R162'],
    run: cancelWords,
  },
  {
    id: 'cancel/one-session',
    title: 'session/cancel of one session leaves the turn of another alone',
    covers: ['R078'],
    client: bareClient,
    run: cancelAnother,
  },
  {
    id: 'cancel/any-moment',
    title: 'a prompt that is cancelled at once, or at any other moment, is answered with cancelled',
    covers: ['R159', 'R160'],
    run: cancelAtMoments,
  },
];

async function cancelCommand(stage: AgentStage): Promise<Begun> {
  const begun = await beginSession(stage);
  const { turn, pid } = await beginBusyTurn(stage, begun.wire, begun.sessionId);
  const cancel = turn.cancel();
  const longest = Math.min(asSoonAsPossible, stage.settings.patience.answer);
  const isGone = isGoneWithin(pid, longest);
  if (!(await seeCancelled(stage, turn, cancel))) return begun;
  const otherwise = `the command ran on ${longest / 1000} seconds after session/cancel`;
  const evidence = [turn.request, cancel];
  stage.see.check('R158', await isGone, { otherwise, evidence });
  stage.see.check('R327', await isGone, { otherwise, evidence });
  await begun.wire.quiet(calm);
  seeNothingLate(stage, turn);
  await seeNextTurn(stage, begun, cancel);
  return begun;
}

/** A cancel is over with the turn that it cancelled. */
async function seeNextTurn(stage: AgentStage, { wire, sessionId }: Begun, cancel: JournalEntry): Promise<void> {
  const { stopReason, reply } = await stage.prompt(wire, sessionId, stage.steer('say', { text: 'quince' }));
  stage.see.check('R164', stopReason !== 'cancelled', {
    otherwise: 'a prompt was cancelled by a session/cancel that was for the turn before it',
    evidence: [cancel, reply.entry],
  });
}

async function cancelAnother(stage: AgentStage): Promise<void> {
  const { wire, sessionId } = await beginSession(stage);
  const { id: other } = await stage.newSession(wire);
  const { turn, pid } = await beginBusyTurn(stage, wire, sessionId);
  const cancel = wire.notify('session/cancel', { sessionId: other });
  const isGone = await isGoneWithin(pid, calm);
  const answer = turn.answered;
  const stopReason = asMessage(asMessage(answer?.message)?.['result'])?.['stopReason'];
  if (answer !== undefined && !isGone && stopReason !== 'cancelled')
    throw new Stopped('the turn ended by itself, though what it was to do takes long');
  stage.see.check('R078', !isGone && answer === undefined, {
    otherwise: 'session/cancel of one session ended what was done in another',
    evidence: [turn.request, cancel, ...(answer === undefined ? [] : [answer])],
  });
  if (answer === undefined) await seeCancelled(stage, turn, turn.cancel());
}

async function cancelPermission(stage: AgentStage): Promise<void> {
  const { wire, sessionId } = await beginSession(stage);
  const held: ((answer: unknown) => void)[] = [];
  wire.handle('session/request_permission', () => new Promise((resolve) => held.push(resolve)));
  const { turn, asked } = await untilAsked(stage, { wire, sessionId });
  const cancel = turn.cancel();
  for (const answer of held) answer({ outcome: { outcome: 'cancelled' } });
  await seeCancelled(stage, turn, cancel);
  await wire.quiet(calm);
  seeNothingLate(stage, turn);
  // Whether it would have been created with a yes is not known, so this alone shows nothing.
  if ((await textOf(join(stage.folder, 'quince.txt'))) !== undefined)
    stage.see.broken('R201', 'the file was created although the permission was cancelled', [asked, cancel]);
}

/** An agent that has finished before it receives the cancel may report that it ended as usual. */
async function cancelWords(stage: AgentStage): Promise<void> {
  const { wire, sessionId } = await beginSession(stage);
  const text = Array.from({ length: 150 }, (_, nth) => `${nth + 1} quinces`).join(', ');
  const turn = stage.begin(wire, sessionId, stage.steer('say', { text }));
  const word = await turn.until(({ params }) => asMessage(asMessage(params)?.['update'])?.['sessionUpdate'] === said);
  expectDone(word !== undefined, 'say something long');
  const cancel = turn.cancel();
  const reply = await turn.endWithin(stage.settings.patience.turn);
  const stopReason = reply && stopReasonOf(reply);
  if (typeof stopReason === 'string' && stopReason !== 'cancelled')
    throw new Stopped('the turn ended by itself before the agent received the cancel');
  await seeCancelled(stage, turn, cancel);
  await wire.quiet(calm);
  seeNothingLate(stage, turn);
}

async function untilAsked(
  stage: AgentStage,
  { wire, sessionId }: Pick<Begun, 'wire' | 'sessionId'>,
): Promise<{ readonly turn: RunningTurn; readonly asked: JournalEntry }> {
  for (const prompt of waysToMake) {
    // A result without a question does not show that an answer was ignored.
    await rm(join(stage.folder, 'quince.txt'), { force: true });
    const turn = stage.begin(wire, sessionId, prompt(stage, 'quince.txt'));
    const asked = await turn.until(({ method }) => method === 'session/request_permission');
    if (asked !== undefined) return { turn, asked };
  }
  throw new Stopped('asked to create a file and to run a command, the agent asked for no permission');
}

async function cancelAtMoments(stage: AgentStage): Promise<void> {
  const { wire, sessionId } = await beginSession(stage);
  const began = performance.now();
  // Once with patience, to measure that this prompt takes long without a cancel, and when its work starts.
  const { turn: known, prompt } = await beginBusyTurn(stage, wire, sessionId);
  const usual = performance.now() - began;
  let continuesNormally = await seeCancelled(stage, known, known.cancel());
  const random = seededRandom(stage.settings.seed);
  for (let turns = 0; continuesNormally && turns < moments && hasTime(stage, began); turns += 1) {
    const turn = stage.begin(wire, sessionId, prompt);
    if (turns > 0) await delay(random() * usual * 1.2);
    continuesNormally = await seeCancelled(stage, turn, turn.cancel());
  }
  // What the last one still asked of the client is to be answered.
  await wire.quiet(calm);
}

function hasTime({ settings }: AgentStage, began: number): boolean {
  return performance.now() - began < settings.patience.answer;
}

/** Judges the answer to a prompt that cannot have ended by itself. Whether it was right. */
async function seeCancelled({ see, settings }: AgentStage, turn: RunningTurn, cancel: JournalEntry): Promise<boolean> {
  // It had ended before the cancel, as far as a client can know.
  if (isBefore(turn, cancel)) throw new Stopped('the turn ended by itself, though what it was to do takes long');
  const reply = await turn.endWithin(settings.patience.turn);
  const evidence = [turn.request, cancel, ...(reply === undefined ? [] : [reply.entry])];
  if (reply === undefined) {
    see.broken('R159', 'after session/cancel the prompt was never answered', evidence);
    return false;
  }
  const otherwise = `a prompt that was cancelled was answered with the error ${JSON.stringify(reply.error)}`;
  if (!see.check('R160', reply.error === undefined, { otherwise, evidence })) return false;
  return see.check('R159', stopReasonOf(reply) === 'cancelled', {
    otherwise: `a prompt that was cancelled was answered with ${JSON.stringify(stopReasonOf(reply))}`,
    evidence,
  });
}

function isBefore({ answered, entries }: RunningTurn, cancel: JournalEntry): boolean {
  return answered !== undefined && entries.indexOf(answered) < entries.indexOf(cancel);
}

function seeNothingLate({ see }: AgentStage, turn: RunningTurn): void {
  const end = turn.answered;
  const late = end === undefined ? [] : outputsIn(turn.entries.slice(turn.entries.indexOf(end)));
  const ofTurn = late.filter(({ sessionId }) => sessionId === turn.sessionId);
  see.check('R162', ofTurn.length === 0, {
    otherwise: 'updates of a cancelled turn came after its answer',
    evidence: [...(end === undefined ? [] : [end]), ...entriesOf(ofTurn)],
  });
}

function stopReasonOf({ result }: Reply): unknown {
  return asMessage(result)?.['stopReason'];
}
