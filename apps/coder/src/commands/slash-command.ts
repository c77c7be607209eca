import type { ContentBlock, StopReason } from '@turnwire/protocol';
import type { CoderTurn } from '../session/session-memory.ts';

/** A command that the user runs by a prompt that begins with its name: `/name argument`. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  /** A hint at the argument. Absent: the command takes none. */
  readonly hint?: string | undefined;
  /**
   * Runs the command, and reports the result.
   * @param argument the trimmed text after the name
   * @returns nothing or the turn's stop reason; or a prompt for the model instead of the user's
   */
  readonly run: (
    turn: CoderTurn,
    argument: string,
  ) => Promise<StopReason | void | { readonly prompt: readonly ContentBlock[] }>;
}
