import { type EditionTypes, TurnwireError, type V1 } from '@turnwire/protocol';
import type { Agent, AgentOptions } from '../../agent/agent.ts';
import { defaultTimeouts } from '../../session/timeouts.ts';
import { type CleanUp, ConnectedAgent, initialized } from '../../agent/attach-agent.ts';
import { AgentProcess } from './agent-process.ts';
import { commandWords } from './command-words.ts';
import { agentEnvironment, type Environment, inheritedVariables } from './environment.ts';
import { processTransport } from './process-transport.ts';

/** How to start an agent's process, in addition to the options for an agent. */
export interface LaunchOptions<E extends EditionTypes = V1> extends AgentOptions<E> {
  /** The working directory of the process. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** Variables to set, such as a key the agent needs. They take precedence over inherited ones. */
  readonly env?: Environment | undefined;
  /** Names of variables to inherit besides {@link inheritedVariables}; `NAME*` stands for all with that prefix. */
  readonly inheritEnv?: readonly string[] | undefined;
}

/**
 * Starts an agent and initializes the connection.
 * ```ts
 * await using agent = await launchAgent('my-agent --acp');
 * const session = await agent.newSession({ cwd: process.cwd() });
 * for await (const update of session.prompt('search for TODO')) console.log(update);
 * ```
 * The process leads its own session and inherits only a few harmless variables. It ends with all its processes, daemons included, when the
 * agent is closed, when the connection breaks, and when this process ends, even by SIGKILL: for that a small shell runs beside this process
 * while agents do. The processes of an agent are identified by their parents, their session and the variable `TURNWIRE_LAUNCH`. On Windows
 * daemons stay, and so does an agent whose launcher was killed but which ignores the end of its stdin.
 * @param command a command line, split like a shell would but never run by one, or the words themselves
 * @throws ProtocolError if the agent refuses `initialize`; TurnwireError: `launch-failed`, `timeout` (it did not answer in time),
 * `connection-closed` (it exited), `version-mismatch`, `cancelled`; the message quotes its stderr.
 */
export async function launchAgent<E extends EditionTypes = V1>(
  command: string | readonly string[],
  options: LaunchOptions<E> = {},
): Promise<Agent<E>> {
  const words = commandWords(command);
  const patterns = [...inheritedVariables, ...(options.inheritEnv ?? [])];
  const env = agentEnvironment(process.env, patterns, options.env);
  const agent = await AgentProcess.start(words, { cwd: options.cwd ?? process.cwd(), env });
  try {
    const cleanUp = ending(agent, options.timeouts);
    return await initialized(options, (stable) => new ConnectedAgent(processTransport(agent), stable, cleanUp));
  } catch (error) {
    throw withStderr(error, agent);
  }
}

function ending(agent: AgentProcess, timeouts: AgentOptions['timeouts']): CleanUp {
  return async () => {
    const exit = await agent.end(timeouts?.exit ?? defaultTimeouts.exit);
    return { ...(exit && { exit }), stderr: agent.stderr };
  };
}

const advice = 'check that it speaks the Agent Client Protocol on stdin and stdout';

/** An error from before the agent was ready, with its stderr and advice. */
function withStderr(error: unknown, agent: AgentProcess): unknown {
  if (!(error instanceof TurnwireError)) return error;
  const { code, message } = error;
  if (code === 'timeout') {
    return new TurnwireError(code, `${message}. ${agent.report(`did not answer in time; ${advice}`)}`, {
      cause: error,
    });
  }
  if (code === 'connection-closed' && agent.stderr === '') {
    return new TurnwireError(code, `${message} It exited before it answered initialize: ${advice}.`, { cause: error });
  }
  return error;
}
