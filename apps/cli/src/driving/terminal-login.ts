import { spawn } from 'node:child_process';
import type { Agent } from '@turnwire/client';
import {
  commandWords,
  type TerminalLoginCommand,
  terminalLoginCommand,
  withoutProjectPackages,
} from '@turnwire/client/node';
import { TurnwireError, type AuthMethod, type AuthMethodTerminal, errorCodes, ProtocolError } from '@turnwire/protocol';
import type { AgentCommand } from './agent-command.ts';
import { placedWords } from './placed-words.ts';
import { shownCommand } from '../shown-command.ts';
import { environmentFor } from './drive.ts';
import { warn } from '../failure.ts';
import { cleanLine } from '../terminal/clean-text.ts';

/** The inputs of a login in the terminal of this process. */
export interface LoginRun {
  readonly command: AgentCommand;
  readonly cwd: string;
  /** Ends the login. */
  readonly signal: AbortSignal;
}

/** Runs a login that has the terminal for itself. Resolves with whether it succeeded. Rejects if it cannot be started. */
export async function runTerminalLogin(
  method: AuthMethodTerminal,
  { command, cwd, signal }: LoginRun,
): Promise<boolean> {
  const { words, env, withheld } = loginCommand(method, command);
  if (withheld.length > 0) warn(withheldNotice(withheld));
  const [file, ...args] = await withoutProjectPackages(commandWords(words));
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: 'inherit' });
    const end = (): void => void child.kill();
    signal.addEventListener('abort', end, { once: true });
    child.once('error', (error) => reject(notStarted(words, error)));
    child.once('exit', (code) => {
      signal.removeEventListener('abort', end);
      resolve(code === 0);
    });
  });
}

/** Refuses a login outside of a chat, with the command to run. */
export function sayTerminalLogin(method: AuthMethodTerminal, command: AgentCommand): Promise<never> {
  const message = `"${method.name}" is a login at a terminal. ${loginAdvice([{ ...method, type: 'terminal' }], command)}`;
  return Promise.reject(new TurnwireError('cancelled', message));
}

/** Returns the commands to log in with after the error of a missing login; otherwise an empty text. */
export function howToLogIn(
  error: unknown,
  agent: Pick<Agent, 'authMethods'> | undefined,
  command: AgentCommand,
): string {
  const isLogin = error instanceof ProtocolError && error.code === errorCodes.authenticationRequired;
  const advice = isLogin ? loginAdvice(agent?.authMethods ?? [], command) : '';
  return advice === '' ? '' : `\n${advice}`;
}

/** Returns the commands of the logins at a terminal; an empty text without such a login. */
function loginAdvice(methods: readonly AuthMethod[], command: AgentCommand): string {
  const lines = methods.flatMap((method) => {
    if (method.type !== 'terminal') return [];
    return [`  ${loginLine(method, command)}`];
  });
  return lines.length === 0 ? '' : `Log in with this command, then try again:\n${lines.join('\n')}`;
}

/** The command of a login at a terminal, as a user would type it. */
export function loginLine(method: AuthMethodTerminal, command: AgentCommand): string {
  const { words, set } = loginCommand(method, command);
  const variables = set.map((name) => `${name}=${method.env?.[name]}`);
  return shownCommand(set.length === 0 ? words : ['env', ...variables, ...words]);
}

function loginCommand(
  method: AuthMethodTerminal,
  { words, env, inheritEnv, differences, place }: AgentCommand,
): TerminalLoginCommand {
  return terminalLoginCommand(placedWords(words, place, process.cwd()), method, {
    env: environmentFor(differences, env),
    inheritEnv,
  });
}

function withheldNotice(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map(cleanLine);
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return (
    `the agent asks for this login to run with ${shown.join(', ')}${more} set, which is not done: such variables can make ` +
    'programs run other code or change what you have set. If you trust the agent, set them yourself and start the chat again with --env.'
  );
}

const mostNames = 5;

function notStarted([program]: readonly string[], { message }: Error): TurnwireError {
  return new TurnwireError('launch-failed', `the login could not be started: ${program}: ${message}`);
}
