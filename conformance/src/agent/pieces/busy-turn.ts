import { setTimeout as delay } from 'node:timers/promises';
import { Stopped } from '../../verdict/stopped.ts';
import type { Wire } from '../../wire/wire.ts';
import type { AgentStage } from '../agent-stage.ts';
import type { RunningTurn } from '../running-turn.ts';
import { isRunning, slowCommand } from './slow-command.ts';

/** A turn in the middle of a command that lasts. */
export interface BusyTurn {
  readonly turn: RunningTurn;
  /** Whether the command is gone within so many milliseconds. */
  readonly isGoneWithin: (milliseconds: number) => Promise<boolean>;
}

/** Has the agent run a command that lasts, and resolves once it runs. */
export async function beginBusyTurn(stage: AgentStage, wire: Wire, sessionId: string): Promise<BusyTurn> {
  const command = await slowCommand(stage.folder);
  const turn = stage.begin(wire, sessionId, stage.steer('run', { command: command.words }));
  const patience = stage.turnPatience;
  const pid = await Promise.race([command.pid(patience), turn.endWithin(patience).then(() => undefined)]);
  if (pid === undefined) throw new Stopped('asked to run a command that takes long, the agent did not');
  return { turn, isGoneWithin: (milliseconds) => isGoneWithin(pid, milliseconds) };
}

async function isGoneWithin(pid: number, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    if (!(await isRunning(pid))) return true;
    await delay(20);
  }
  return !(await isRunning(pid));
}
