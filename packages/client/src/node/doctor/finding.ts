/**
 * The layers of an examination, in order; the first three and the last are those of an agent that is started here, the four behind them those
 * of one on another machine:
 * - `command`: the program exists, and may be run
 * - `launch`: it starts
 * - `noise`: its stdout contains only the protocol
 * - `name`: there is such a host
 * - `connection`: it accepts connections, through the proxy if there is one
 * - `tls`: it is encrypted, with a certificate that is trusted here
 * - `http`: it accepts a WebSocket, or speaks HTTP as an agent does
 * - `initialize`: it answers, and supports our version of the protocol
 * - `login`: whether it requires a login before it creates a session
 * - `session`: it creates a session
 * - `mcp`: it creates one with the given MCP servers, too
 * - `turn`: it answers a prompt
 * - `exit`: it exits when its stdin is closed, and leaves no processes behind
 */
export const examinedLayers = [
  'command',
  'launch',
  'noise',
  'name',
  'connection',
  'tls',
  'http',
  'initialize',
  'login',
  'session',
  'mcp',
  'turn',
  'exit',
] as const;

/** One of {@link examinedLayers}. */
export type ExaminedLayer = (typeof examinedLayers)[number];

const ofRemoteAgents: readonly ExaminedLayer[] = ['name', 'connection', 'tls', 'http'];
const ofProcesses: readonly ExaminedLayer[] = ['command', 'launch', 'noise', 'exit'];

/** The layers of an agent that is started here. */
export const processLayers: readonly ExaminedLayer[] = examinedLayers.filter(
  (layer) => !ofRemoteAgents.includes(layer),
);

/** The layers of an agent on another machine. */
export const remoteLayers: readonly ExaminedLayer[] = examinedLayers.filter((layer) => !ofProcesses.includes(layer));

/** `warning`: it works, but should be improved. `skipped`: it could not be examined. */
export type Verdict = 'ok' | 'warning' | 'failed' | 'skipped';

/** A result of an examination. Its texts contain no escape sequences and no secrets. */
export interface Finding {
  readonly layer: ExaminedLayer;
  readonly verdict: Verdict;
  /** The result, in sentences. */
  readonly message: string;
  /** The advice: sentences, and commands on indented lines of their own. Absent if none is needed. */
  readonly advice?: string;
  /** How long it took. */
  readonly milliseconds?: number;
  /** JSON values for programs, with names that depend on the layer. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A command in advice: on its own indented line, so that it is easy to copy. */
export function commandInAdvice(line: string): string {
  return `\n    ${line}`;
}

/** The finding for a layer that was not reached. */
export function notReached(layer: ExaminedLayer, why = 'not reached'): Finding {
  return { layer, verdict: 'skipped', message: why };
}

/** Whole milliseconds since a time of `performance.now()`. */
export function since(moment: number): number {
  return Math.round(performance.now() - moment);
}

/** `1 line`, `2 lines`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
