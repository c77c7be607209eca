import type { CoderOptions } from './config/coder-options.ts';
import type { TerminalLogin } from './command-line/log-in-at-terminal.ts';

/**
 * Asks for the key of a model provider in the terminal of this process, without echo, and stores it in
 * `turnwire/coder/keys.json` in `XDG_DATA_HOME` (`~/.local/share`), readable for its owner alone. Prints the result to stderr.
 * @returns the exit code: 0 stored, 1 not stored, 2 wrong usage, 130 interrupted
 */
export async function logIn(login: TerminalLogin = {}): Promise<number> {
  return (await import('./command-line/log-in-at-terminal.ts')).logInAtTerminal(login);
}

/**
 * Deletes the stored key of one provider, or of all. Keys of the environment stay. Prints the result to stderr.
 * @param provider `anthropic`, `openai`, `google` or `openrouter`. Absent: all
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage
 */
export async function logOut(provider?: string): Promise<number> {
  return (await import('./command-line/log-out-at-terminal.ts')).logOutAtTerminal(provider);
}

/**
 * Prints the models a session in this folder can choose from, one per line, with `*` at the default one, and on stderr why it is the default.
 * @returns the exit code: 0, or 1 if the chosen model does not exist
 */
export async function models(options: CoderOptions = {}): Promise<number> {
  return (await import('./command-line/print-models.ts')).printModels(options);
}
