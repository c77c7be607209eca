import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Stopped } from '../../wire/stopped.ts';
import type { Wire } from '../../wire/wire.ts';
import type { AgentStage } from '../agent-stage.ts';
import type { RunningTurn } from '../running-turn.ts';

/** A turn in the middle of a command that lasts a minute. */
export interface BusyTurn {
  readonly turn: RunningTurn;
  /** The prompt, to repeat it. */
  readonly prompt: string;
  /** The process of the command. */
  readonly pid: number;
}

/** Has the agent run a long command, and resolves once it runs. Stops the scenario if it does not. */
export async function beginBusyTurn(stage: AgentStage, wire: Wire, sessionId: string): Promise<BusyTurn> {
  if (process.platform === 'win32') throw new Stopped('commands are not watched on Windows');
  await writeFile(join(stage.folder, 'slow.sh'), 'echo $$ > slow.pid\nexec sleep 60\n');
  const prompt = stage.steer('run', { command: 'sh slow.sh' });
  const until = performance.now() + stage.turnPatience;
  const turn = stage.begin(wire, sessionId, prompt);
  for (;;) {
    // Read first: output from before the end counts.
    const isLast = turn.isOver || performance.now() > until;
    const text = await readFile(join(stage.folder, 'slow.pid'), 'utf8').catch(() => '');
    if (text.endsWith('\n')) return { turn, prompt, pid: Number(text) };
    if (isLast) throw new Stopped('asked to run a command that takes long, the agent did not');
    await delay(15);
  }
}
