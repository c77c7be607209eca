import { TurnwireError } from '@turnwire/protocol';
import type { Agent, AgentOptions } from '../../agent/agent.ts';
import { defaultTimeouts } from '../../session/timeouts.ts';
import { type Afterwards, ConnectedAgent, initialized } from '../../agent/attach-agent.ts';
import { AgentProcess } from './agent-process.ts';
import { commandWords } from './command-words.ts';
import { agentEnvironment, type Environment, inheritedVariables } from './environment.ts';
import { processTransport } from './process-transport.ts';

/** How to start an agent's process, besides how to treat it. */
export interface LaunchOptions extends AgentOptions {
  /** The folder the process starts in. Default: this process's. */
  readonly cwd?: string | undefined;
  /** Variables to set, such as a key the agent needs. They win over inherited ones. */
  readonly env?: Environment | undefined;
  /** Names of variables to inherit besides {@link inheritedVariables}; `NAME*` stands for all that begin so. */
  readonly inheritEnv?: readonly string[] | undefined;
}

/**
 * Starts an agent and shakes hands with it.
 * ```ts
 * await using agent = await launchAgent('my-agent --acp');
 * const session = await agent.newSession({ cwd: process.cwd() });
 * for await (const update of session.prompt('search for TODO')) console.log(update);
 * ```
 * The process leads a session of its own and inherits only a few harmless variables. It ends with everything it started, daemons
 * included, when the agent is closed, when the connection breaks, and when this process ends, even by SIGKILL: for that a small
 * shell runs beside us while agents do. What belongs to an agent is known by its parents, its session and the variable
 * `TURNWIRE_LAUNCH`. On Windows daemons stay, and so does an agent whose launcher was killed but which ignores the end of its stdin.
 * @param command a command line, split like a shell would but never run by one, or the words themselves
 * Rejects with ProtocolError (the agent refused `initialize`) or TurnwireError: `launch-failed`, `timeout` (it did not answer
 * in time), `connection-closed` (it left), `version-mismatch`, `cancelled`; the message quotes what it printed on stderr.
 */
export async function launchAgent(command: string | readonly string[], options: LaunchOptions = {}): Promise<Agent> {
  const words = commandWords(command);
  const patterns = [...inheritedVariables, ...(options.inheritEnv ?? [])];
  const env = agentEnvironment(process.env, patterns, options.env);
  const agent = await AgentProcess.start(words, { cwd: options.cwd ?? process.cwd(), env });
  try {
    return await initialized(new ConnectedAgent(processTransport(agent), options, ending(agent, options)), options);
  } catch (error) {
    throw withLastWords(error, agent);
  }
}

function ending(agent: AgentProcess, { timeouts }: LaunchOptions): Afterwards {
  return async () => {
    const exit = await agent.end(timeouts?.exit ?? defaultTimeouts.exit);
    return { ...(exit && { exit }), stderr: agent.stderr };
  };
}

const advice = 'check that it speaks the Agent Client Protocol on stdin and stdout';

/** What went wrong before the agent was ready, with what it printed and what to do. */
function withLastWords(error: unknown, agent: AgentProcess): unknown {
  if (!(error instanceof TurnwireError)) return error;
  const { code, message } = error;
  if (code === 'timeout') {
    return new TurnwireError(code, `${message}. ${agent.report(`did not answer in time; ${advice}`)}`, {
      cause: error,
    });
  }
  if (code === 'connection-closed' && agent.stderr === '') {
    return new TurnwireError(code, `${message} It left before it answered initialize: ${advice}.`, { cause: error });
  }
  return error;
}
