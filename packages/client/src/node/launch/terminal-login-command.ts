import type { AuthMethodTerminal } from '@turnwire/protocol';
import { commandWords } from './command-words.ts';
import {
  agentEnvironment,
  type Environment,
  inheritedVariables,
  mayBeSetByAgent,
  terminalVariables,
} from './environment.ts';
import type { LaunchOptions } from './launch-agent.ts';

/** What to run in an interactive terminal. */
export interface TerminalLoginCommand {
  readonly words: readonly string[];
  /**
   * The whole environment to run it in: what the agent is started with, what programs at a terminal need (a display, a browser), and
   * the variables of the method. Nothing else of this process's, which may hold tokens.
   */
  readonly env: Environment;
  /** The variables of the method that are set. */
  readonly set: readonly string[];
  /**
   * The variables of the method that are not set, since the agent must not decide about them: `NODE_OPTIONS`, `LD_PRELOAD` and others
   * that have programs run code, and those that belong to the machine and its user, such as `PATH` and `HTTPS_PROXY`.
   */
  readonly withheld: readonly string[];
}

/**
 * How to log in at a terminal: the agent's command with the method's arguments after its own, and the method's variables over those
 * the agent is started with. What an agent says to run instead is ignored (protocol: Authentication).
 * @param command as given to `launchAgent`
 * @param options as given to `launchAgent`
 */
export function terminalLoginCommand(
  command: string | readonly string[],
  method: AuthMethodTerminal,
  { env, inheritEnv = [] }: Pick<LaunchOptions, 'env' | 'inheritEnv'> = {},
): TerminalLoginCommand {
  const asked = Object.entries(method.env ?? {});
  const additions = asked.filter(([name]) => mayBeSetByAgent(name));
  const patterns = [...inheritedVariables, ...terminalVariables, ...inheritEnv];
  return {
    words: [...commandWords(command), ...(method.args ?? [])],
    env: agentEnvironment(process.env, patterns, { ...env, ...Object.fromEntries(additions) }),
    set: additions.map(([name]) => name),
    withheld: asked.map(([name]) => name).filter((name) => !mayBeSetByAgent(name)),
  };
}
