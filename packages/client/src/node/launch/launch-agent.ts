import { existsSync } from 'node:fs';
import { type EditionTypes, type Transport, TurnwireError, type V1 } from '@turnwire/protocol';
import type { Agent, AgentOptions } from '../../agent/agent.ts';
import type { Session } from '../../session/session.ts';
import type { NewSessionOptions } from '../../session/session-options.ts';
import { defaultTimeouts } from '../../session/timeouts.ts';
import { type CleanUp, ConnectedAgent, initialized } from '../../agent/attach-agent.ts';
import { AgentProcess } from './agent-process.ts';
import { type CommandWords, commandWords, shellAdvice } from './command-words.ts';
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
  const start = AgentProcess.start(words, { cwd: options.cwd ?? process.cwd(), env });
  const agent = await start.catch((error: unknown) => {
    throw withShellAdvice(error, words);
  });
  try {
    const cleanUp: CleanUp = async () => {
      const exit = await agent.end(options.timeouts?.exit ?? defaultTimeouts.exit);
      return { ...(exit && { exit }), stderr: agent.stderr };
    };
    return await initialized(options, (stable) => new LaunchedAgent(processTransport(agent), stable, cleanUp));
  } catch (error) {
    throw withShellAdvice(withStderr(error, agent), words);
  }
}

/** An agent whose process is here. */
class LaunchedAgent extends ConnectedAgent {
  readonly #host: AgentOptions['host'];

  constructor(transport: Transport, options: AgentOptions, cleanUp: CleanUp) {
    super(transport, options, cleanUp);
    this.#host = options.host;
  }

  /** Without files or terminals of this machine, the folder may be on another one to which the process leads. */
  override async newSession(options: NewSessionOptions): Promise<Session> {
    const isHere = this.#host?.files?.realPath ?? this.#host?.terminals?.realPath;
    if (isHere !== undefined && !existsSync(options.cwd))
      throw new TurnwireError('invalid-input', `A session cannot work in ${options.cwd}: there is no such folder here`);
    return super.newSession(options);
  }
}

function withShellAdvice(error: unknown, words: CommandWords): unknown {
  const advice = shellAdvice(words);
  if (advice === '' || !(error instanceof TurnwireError) || error.code === 'cancelled') return error;
  return new TurnwireError(error.code, `${error.message.replace(/\.$/, '')}.${advice}`, { cause: error });
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
