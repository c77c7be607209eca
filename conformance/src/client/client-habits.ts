import type { RawMessage } from '../wire/messages.ts';

/** A client's behaviour when nothing is wrong, as shown by its first turn: deviations can only be judged against it. */
export interface ClientHabits {
  readonly exitCode: number | null;
  /** What it prints then. */
  readonly lines: ReadonlySet<string>;
  /** How often it starts its agent. */
  readonly starts: number;
  /** Its `clientCapabilities`; absent if nothing is known of them. */
  readonly capabilities?: RawMessage;
}

/** What most clients do. */
export const usualHabits: ClientHabits = { exitCode: 0, lines: new Set(['some words']), starts: 1 };

/** Whether a client prints anything at all. A client with a window, or a log, reports there. */
export function speaks({ lines }: ClientHabits): boolean {
  return lines.size > 0;
}

/** The lines of a text that are not blank. */
export function linesIn(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}
