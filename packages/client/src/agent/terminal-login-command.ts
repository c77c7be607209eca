import type { AuthMethodTerminal } from '@turnwire/protocol';
import { commandWords } from '../launch/command-words.ts';
import type { Environment } from '../launch/environment.ts';

/** What to run in an interactive terminal. */
export interface TerminalLoginCommand {
  readonly words: readonly string[];
  /** Variables to set, besides those the terminal has anyway. */
  readonly env: Environment;
}

/**
 * How to log in at a terminal: the agent's command with the method's arguments after its own, and the method's variables over those
 * the agent is started with. What an agent says to run instead is ignored (protocol: Authentication).
 * @param command as given to `launchAgent`
 * @param env as given to `launchAgent`
 */
export function terminalLoginCommand(
  command: string | readonly string[],
  method: AuthMethodTerminal,
  env: Environment = {},
): TerminalLoginCommand {
  return { words: [...commandWords(command), ...(method.args ?? [])], env: { ...env, ...method.env } };
}
