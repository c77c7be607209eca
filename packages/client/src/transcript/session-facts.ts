import type { SessionConfigOption, SessionInfoUpdate, SessionModeState, UsageUpdate } from '@turnwire/protocol';
import type { TerminalSnapshot } from '../host/host.ts';
import type { Transcript } from './transcript.ts';

/** What a session was set up with. Absent leaves what is known; null says there is none. */
export function withSetup(transcript: Transcript, { modes, configOptions }: Setup): Transcript {
  const told = configOptions === undefined ? transcript : { ...transcript, configOptions: configOptions ?? [] };
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
export function withInfo(transcript: Transcript, { title }: SessionInfoUpdate): Transcript {
  if (title === undefined) return transcript;
  if (title !== null) return { ...transcript, title };
  const { title: _, ...rest } = transcript;
  return rest;
}

/** A cost that is not told is not known anew; the one before still holds, for it only grows. */
export function withUsage(transcript: Transcript, { used, size, cost }: UsageUpdate): Transcript {
  return { ...transcript, usage: { used, size }, ...(cost && { cost }) };
}

/** A terminal stays in the view whatever becomes of it (tool calls that show it go on doing so). */
export function withTerminal(transcript: Transcript, snapshot: TerminalSnapshot): Transcript {
  const { terminalId, command, output, truncated, exitStatus } = snapshot;
  const ending = exitStatus && { exitCode: exitStatus.exitCode ?? null, signal: exitStatus.signal ?? null };
  const view = { terminalId, command, output, truncated, ...ending, isRunning: !exitStatus };
  return { ...transcript, terminals: transcript.terminals.with(terminalId, view) };
}
