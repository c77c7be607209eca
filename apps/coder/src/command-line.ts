import type { CoderOptions } from './coder-options.ts';
import type { TerminalLogin } from './command-line/log-in-at-terminal.ts';

/**
 * Asks for the key of a provider of models in the terminal of this process, unseen, and stores it in
 * `turnwire/coder/keys.json` below `XDG_DATA_HOME` (`~/.local/share`), readable for its owner alone. Tells on stderr what came of it.
 * @returns the exit code: 0 stored, 1 not, 2 asked in the wrong way, 130 interrupted
 */
export async function logIn(login: TerminalLogin = {}): Promise<number> {
  return (await import('./command-line/log-in-at-terminal.ts')).logInAtTerminal(login);
}

/**
 * Forgets the stored key of one provider, or of all. Keys of the environment stay. Tells on stderr what came of it.
 * @param provider `anthropic`, `openai`, `google` or `openrouter`. Absent: all
 * @returns the exit code: 0 done, 1 not, 2 asked in the wrong way
 */
export async function logOut(provider?: string): Promise<number> {
  return (await import('./command-line/log-out-at-terminal.ts')).logOutAtTerminal(provider);
}

/**
 * Prints the models a session in this folder can choose from, one a line, `*` before the one it begins with, and on stderr why.
 * @returns the exit code: 0, or 1 when the model that was chosen cannot be
 */
export async function models(options: CoderOptions = {}): Promise<number> {
  return (await import('./command-line/print-models.ts')).printModels(options);
}
