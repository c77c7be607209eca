import { setTimeout as delay } from 'node:timers/promises';
import type { RequirementId } from '../../requirements/requirement.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { AgentStage } from '../agent-stage.ts';
import type { RunningTurn } from '../running-turn.ts';
import type { Session } from '../session.ts';
import { isGoneWithin } from './running-process.ts';

/** A turn in the middle of a command that lasts a minute. */
export interface BusyTurn {
  readonly turn: RunningTurn;
  /** The prompt, to repeat it. */
  readonly prompt: string;
  readonly pid: number;
}

/** Has the agent run a long command, and resolves once it runs. Stops the scenario if it does not. */
export async function beginBusyTurn(stage: AgentStage, session: Session): Promise<BusyTurn> {
  if (process.platform === 'win32') throw new Stopped('commands are not watched on Windows');
  await stage.file('slow.sh', 'echo $$ > slow.pid\nexec sleep 60\n');
  const prompt = stage.steer('run', { command: 'sh slow.sh' });
  const until = performance.now() + stage.turnPatience;
  const turn = session.begin(prompt);
  for (;;) {
    // Read first: output from before the end counts.
    const isLast = turn.isOver || performance.now() > until;
    const text = await stage.textOf('slow.pid');
    if (text?.endsWith('\n')) return { turn, prompt, pid: Number(text) };
    if (isLast) throw new Stopped('asked to run a command that takes long, the agent did not');
    await delay(15);
  }
}

/** Milliseconds that work has to stop. */
export const asSoonAsPossible = 5_000;

/** Judges whether a request cancels the turn of its session, and ends what it runs. */
export async function seeTurnEnded(
  stage: AgentStage,
  session: Session,
  [requirement, method]: readonly [RequirementId, string],
): Promise<void> {
  const { turn, pid } = await beginBusyTurn(stage, session);
  if (turn.isOver) throw new Stopped('the turn ended by itself, though what it was to do takes long');
  const asked = await session.ask(method);
  const refused = asked.error !== undefined && `${method} of a session with a turn was refused`;
  stage.see.check(requirement, refused, asked);
  const isGone = isGoneWithin(pid, asSoonAsPossible);
  const reply = await turn.endWithin(stage.settings.patience.answer);
  const how = reply === undefined ? '' : ' with cancelled';
  const isCancelled = turn.stopReason === 'cancelled';
  const unanswered = `after ${method} the prompt was not answered${how}`;
  stage.see.check(requirement, !isCancelled && unanswered, turn.request, asked, reply);
  const fault = `a command ran on ${asSoonAsPossible / 1000} seconds after ${method}`;
  stage.see.check(requirement, !(await isGone) && fault, turn.request, asked);
}
