import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Stopped } from '../../wire/stopped.ts';
import type { Wire } from '../../wire/wire.ts';
import type { AgentStage, Initialized } from '../agent-stage.ts';
import type { Host } from '../host/play-host.ts';

/** A session with an agent, and the client we play for it. */
export interface Begun {
  readonly wire: Wire;
  readonly sessionId: string;
  readonly host: Host;
  readonly initialized: Initialized;
}

/** Milliseconds after an end in which nothing more may come. */
export const calm = 250;
/** The same where it is looked for most carefully: what is gathered to be sent together can be this late. */
export const longCalm = 1_000;

/** An agent with a session in the folder of the scenario. */
export async function beginSession(stage: AgentStage): Promise<Begun> {
  const { wire, initialized } = await stage.ready();
  const { id: sessionId } = await stage.newSession(wire);
  return { wire, sessionId, host: stage.hostOf(wire), initialized };
}

/** Prompts that make a file of some name in the folder: most agents ask for permission for one of them. */
export const waysToMake: readonly ((stage: AgentStage, name: string) => string)[] = [
  (stage, name) => stage.steer('write', { path: join(stage.folder, name), text: 'quince' }),
  (stage, name) => stage.steer('run', { command: `touch ${name}` }),
];

/** Continues only if the agent did what it was asked to. */
export function expectDone(isDone: boolean, action: string): asserts isDone {
  if (!isDone) throw new Stopped(`asked to ${action}, the agent did not`);
}

/** Milliseconds that an agent has for the release of a terminal after its turn: nothing says that it comes before the answer. */
const toRelease = 3_000;

/** Waits for the release of every terminal, as long as one may be on its way. */
export async function untilReleased(wire: Wire, { terminals }: Host): Promise<void> {
  const end = performance.now() + toRelease;
  while (terminals.held.length > 0 && !wire.hasEnded && performance.now() < end) await delay(20);
}

/** The text of a file; undefined if there is none. */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
