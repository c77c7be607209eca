import type { RawMessage } from '../wire/messages.ts';

/** The behaviour of a client in a normal turn. Deviations can only be judged against it. */
export interface ClientBaseline {
  readonly exitCode: number | null;
  /** The lines that it prints. */
  readonly lines: ReadonlySet<string>;
  /** How often it starts its agent. */
  readonly starts: number;
  /** Its `clientCapabilities`; absent if unknown. */
  readonly capabilities?: RawMessage;
}

/** The behaviour of most clients. */
export const defaultBaseline: ClientBaseline = { exitCode: 0, lines: new Set(['some words']), starts: 1 };

/** Whether a client prints anything at all. A client with a window or a log file reports problems there. */
export function speaks({ lines }: ClientBaseline): boolean {
  return lines.size > 0;
}

/** The lines of a text, without blank ones. */
export function linesIn(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}
