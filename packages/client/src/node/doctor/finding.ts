/**
 * What an agent has to get through, in this order:
 * - `command`: there is such a program, and it may be run
 * - `launch`: it starts
 * - `noise`: its stdout holds nothing but the protocol
 * - `initialize`: it answers, and speaks our version of the protocol
 * - `login`: whether it wants one before it makes a session
 * - `session`: it makes a session
 * - `mcp`: it makes one with the given MCP servers, too
 * - `turn`: it answers a prompt
 * - `exit`: it leaves when its stdin is closed, and leaves nothing behind
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

/** `warning`: it works, but somebody should do something. `skipped`: it could not be examined. */
export type Verdict = 'ok' | 'warning' | 'failed' | 'skipped';

/** One thing an examination found. Its texts hold no escape sequences and nothing that looks like a secret. */
export interface Finding {
  readonly layer: ExaminedLayer;
  readonly verdict: Verdict;
  /** What is the case: sentences. */
  readonly message: string;
  /** What to do about it: sentences, and commands on indented lines of their own. Absent: nothing. */
  readonly advice?: string;
  /** How long it took. */
  readonly milliseconds?: number;
  /** More, for programs: values JSON can hold, by names that depend on the layer. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A command in advice: on a line of its own, indented, so that it can be copied whole. */
export function commandInAdvice(line: string): string {
  return `\n    ${line}`;
}

/** What was not reached. */
export function notReached(layer: ExaminedLayer, why = 'not reached'): Finding {
  return { layer, verdict: 'skipped', message: why };
}

/** Whole milliseconds since a moment of `performance.now()`. */
export function since(moment: number): number {
  return Math.round(performance.now() - moment);
}

/** `1 line`, `2 lines`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
