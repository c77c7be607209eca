/**
 * The layers of an examination, in order:
 * - `command`: the program exists, and may be run
 * - `launch`: it starts
 * - `noise`: its stdout contains only the protocol
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
  'initialize',
  'login',
  'session',
  'mcp',
  'turn',
  'exit',
] as const;

/** One of {@link examinedLayers}. */
export type ExaminedLayer = (typeof examinedLayers)[number];

/** `warning`: it works, but should be improved. `skipped`: it could not be examined. */
export type Verdict = 'ok' | 'warning' | 'failed' | 'skipped';

/** A result of an examination. Its texts contain no escape sequences and no secrets. */
export interface Finding {
  readonly layer: ExaminedLayer;
  readonly verdict: Verdict;
  /** What was found: sentences. */
  readonly message: string;
  /** What to do about it: sentences, and commands on indented lines of their own. Absent: nothing. */
  readonly advice?: string;
  /** How long it took. */
  readonly milliseconds?: number;
  /** More, for programs: JSON values, by names that depend on the layer. */
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
