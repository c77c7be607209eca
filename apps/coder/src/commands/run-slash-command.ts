import { ProtocolError } from '@turnwire/protocol';
import type { ContentBlock, StopReason } from '@turnwire/protocol';
import type { CoderSession, CoderTurn } from '../session/session-memory.ts';
import { failureMessage } from '../tool-error.ts';
import type { SlashCommand } from './slash-command.ts';
import { commandsOf } from './slash-commands.ts';

/** The result of a command: the turn is over, or the model gets another prompt. */
export type SlashCommandOutcome = { readonly stopReason: StopReason } | { readonly prompt: readonly ContentBlock[] };

/**
 * Runs the command a prompt begins with. A command that fails prints the reason, and the turn ends.
 * @returns undefined if the prompt is not one of our commands: then it is for the model
 * @throws ProtocolError as the command does
 */
export async function runSlashCommand(turn: CoderTurn): Promise<SlashCommandOutcome | undefined> {
  const command = slashCommandOf(turn.session, turn.prompt);
  if (!command) return undefined;
  try {
    const outcome = await command.run(turn, argumentOf(turn.text, command.name));
    return typeof outcome === 'object' ? outcome : { stopReason: outcome ?? 'end_turn' };
  } catch (error) {
    if (error instanceof ProtocolError || turn.signal.aborted) throw error;
    await turn.say(`/${command.name} failed. ${failureMessage(error)}`);
    return { stopReason: 'end_turn' };
  }
}

/** The command a prompt begins with. Undefined: it is for the model. */
export function slashCommandOf(session: CoderSession, [first]: readonly ContentBlock[]): SlashCommand | undefined {
  const written = first?.type === 'text' ? /^\s*\/(\S+)(?:\s|$)/u.exec(first.text)?.[1] : undefined;
  return written === undefined ? undefined : commandsOf(session).find(({ name }) => name === written);
}

function argumentOf(text: string, name: string): string {
  return text
    .trim()
    .slice(name.length + 1)
    .trim();
}
