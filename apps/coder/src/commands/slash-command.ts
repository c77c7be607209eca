import type { ContentBlock, StopReason } from '@turnwire/protocol';
import type { CoderTurn } from '../session/session-memory.ts';

/** Something a user has the agent do by a prompt that begins with its name: `/name argument`. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  /** What may be written after the name. Absent: nothing. */
  readonly hint?: string | undefined;
  /**
   * Does it, and says what came of it.
   * @param argument what was written after the name, without white space at its ends
   * @returns nothing or the reason the turn ends with; or a prompt to put to the model in place of what was written
   */
  readonly run: (
    turn: CoderTurn,
    argument: string,
  ) => Promise<StopReason | void | { readonly prompt: readonly ContentBlock[] }>;
}
