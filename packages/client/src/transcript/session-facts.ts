import type {
  AgentWork,
  SessionConfigOption,
  SessionInfoUpdate,
  SessionModeState,
  UsageUpdate,
} from '@turnwire/protocol';
import type { StateUpdate, TerminalUpdate } from '@turnwire/protocol/v2';
import type { TerminalSnapshot } from '../host/host.ts';
import type { Transcript } from './transcript.ts';

/** Applies the set-up of a session. Absent means unchanged; null means that there are none. */
export function withSetup(transcript: Transcript, { modes, configOptions }: Setup): Transcript {
  const updated = configOptions === undefined ? transcript : { ...transcript, configOptions: configOptions ?? [] };
  if (modes === undefined) return updated;
  if (modes !== null) return { ...updated, modes: modes.availableModes, currentModeId: modes.currentModeId };
  const { currentModeId: _, ...rest } = updated;
  return { ...rest, modes: [] };
}

interface Setup {
  readonly modes?: SessionModeState | null | undefined;
  readonly configOptions?: readonly SessionConfigOption[] | null | undefined;
}

/** Absent means unchanged; null removes the title. */
export function withInfo(transcript: Transcript, { title }: SessionInfoUpdate): Transcript {
  if (title === undefined) return transcript;
  if (title !== null) return { ...transcript, title };
  const { title: _, ...rest } = transcript;
  return rest;
}

/** A missing cost leaves the previous one, which can only grow. */
export function withUsage(transcript: Transcript, { used, size, cost }: UsageUpdate): Transcript {
  return { ...transcript, usage: { used, size }, ...(cost && { cost }) };
}

/** A terminal stays in the view after its release, because tool calls still show it. */
export function withTerminal(transcript: Transcript, snapshot: TerminalSnapshot): Transcript {
  const { terminalId, command, output, truncated, exitStatus } = snapshot;
  const ending = exitStatus && { exitCode: exitStatus.exitCode ?? null, signal: exitStatus.signal ?? null };
  const view = { terminalId, command, output, truncated, ...ending, isRunning: !exitStatus };
  return { ...transcript, terminals: transcript.terminals.with(terminalId, view) };
}

/** Applies a report on a terminal of the agent. Absent means unchanged; null means not reported. */
export function withAgentTerminal(
  transcript: Transcript,
  { terminalId, command, exitStatus, capabilities }: TerminalUpdate,
): Transcript {
  const before = transcript.terminals.get(terminalId) ?? {
    ...{ terminalId, command: '', output: '', truncated: false, isRunning: true },
  };
  const ending = exitStatus && { exitCode: exitStatus.exitCode ?? null, signal: exitStatus.signal ?? null };
  const view = {
    ...before,
    ...(command !== undefined && { command: command ?? '' }),
    ...(ending && { ...ending, isRunning: false }),
    ...(capabilities !== undefined && { canCancel: Boolean(capabilities?.cancel) }),
  };
  return { ...transcript, terminals: transcript.terminals.with(terminalId, view) };
}

/** Every state contains all work in the background, if the agent reports it. */
export function withBackground(transcript: Transcript, { background }: StateUpdate): Transcript {
  return { ...transcript, background: Array.isArray(background) ? (background as AgentWork[]) : [] };
}
