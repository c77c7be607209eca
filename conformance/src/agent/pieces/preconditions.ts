import { setTimeout as delay } from 'node:timers/promises';
import { Stopped } from '../../wire/stopped.ts';
import type { AgentStage } from '../agent-stage.ts';
import type { Session } from '../session.ts';

/** Milliseconds after an end in which nothing more may come. */
export const calm = 250;
/** The same where it is looked for most carefully: what is gathered to be sent together can be this late. */
export const longCalm = 1_000;

/** Prompts that make a file of some name in the folder: most agents ask for permission for one of them. */
export const waysToMake: readonly ((stage: AgentStage, name: string) => string)[] = [
  (stage, name) => stage.steer('write', { path: stage.path(name), text: 'quince' }),
  (stage, name) => stage.steer('run', { command: `touch ${name}` }),
];

export function expectDone(isDone: boolean, action: string): asserts isDone {
  if (!isDone) throw new Stopped(`asked to ${action}, the agent did not`);
}

/** Milliseconds that an agent has for the release of a terminal after its turn: nothing says that it comes before the answer. */
const toRelease = 3_000;

/** Waits for the release of every terminal, as long as one may be on its way. */
export async function untilReleased({ wire, host: { terminals } }: Session): Promise<void> {
  const end = performance.now() + toRelease;
  while (terminals.held.length > 0 && !wire.hasEnded && performance.now() < end) await delay(20);
}
