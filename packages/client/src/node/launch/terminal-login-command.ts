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

/** A command to run in an interactive terminal. */
export interface TerminalLoginCommand {
  readonly words: readonly string[];
  /**
   * The complete environment: that of the agent, variables for terminal programs (a display, a browser), and those of the method. Nothing
   * else of this process's environment, which may contain tokens.
   */
  readonly env: Environment;
  /** The variables of the method that are set. */
  readonly set: readonly string[];
  /**
   * The variables of the method that are not set, because an agent must not control them: `NODE_OPTIONS`, `LD_PRELOAD` and others that make
   * programs run code, and those of the machine and its user, such as `PATH` and `HTTPS_PROXY`.
   */
  readonly withheld: readonly string[];
}

/**
 * The command for a login in a terminal: the agent's command, followed by the method's arguments, with the method's variables added to
 * those of the agent. A different program named by the agent is ignored (protocol: Authentication).
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
