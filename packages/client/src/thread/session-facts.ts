import type { SessionConfigOption, SessionInfoUpdate, SessionModeState, UsageUpdate } from '@turnwire/protocol';
import type { TerminalSnapshot } from '../host/host.ts';
import type { Thread } from './thread.ts';

/** What a session was set up with. Absent leaves what is known; null says there is none. */
export function withSetup(thread: Thread, { modes, configOptions }: Setup): Thread {
  const told = configOptions === undefined ? thread : { ...thread, configOptions: configOptions ?? [] };
  if (modes === undefined) return told;
  if (modes !== null) return { ...told, modes: modes.availableModes, currentModeId: modes.currentModeId };
  const { currentModeId: _, ...rest } = told;
  return { ...rest, modes: [] };
}

interface Setup {
  readonly modes?: SessionModeState | null | undefined;
  readonly configOptions?: readonly SessionConfigOption[] | null | undefined;
}

/** Absent leaves the title, null takes it away. */
export function withInfo(thread: Thread, { title }: SessionInfoUpdate): Thread {
  if (title === undefined) return thread;
  if (title !== null) return { ...thread, title };
  const { title: _, ...rest } = thread;
  return rest;
}

/** A cost that is not told is not known anew; the one before still holds, for it only grows. */
export function withUsage(thread: Thread, { used, size, cost }: UsageUpdate): Thread {
  return { ...thread, usage: { used, size }, ...(cost && { cost }) };
}

/** A terminal stays in the view whatever becomes of it (tool calls that show it go on doing so). */
export function withTerminal(thread: Thread, snapshot: TerminalSnapshot): Thread {
  const { terminalId, command, output, truncated, exitStatus } = snapshot;
  const ending = exitStatus && { exitCode: exitStatus.exitCode ?? null, signal: exitStatus.signal ?? null };
  const view = { terminalId, command, output, truncated, ...ending, isRunning: !exitStatus };
  return { ...thread, terminals: thread.terminals.with(terminalId, view) };
}
