import { setTimeout as delay } from 'node:timers/promises';
import { Stopped } from '../../wire/stopped.ts';
import type { AgentStage } from '../agent-stage.ts';
import type { RunningTurn } from '../running-turn.ts';
import type { Session } from '../session.ts';

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
