import type { FrameTap } from '@turnwire/client';
import { memoryStore, type Session, type SessionRules, Sessions } from '@turnwire/runtime';
import { type TraceWriter, traceWriter } from '@turnwire/trace/node';
import type { AgentCommand } from '../driving/agent-command.ts';
import { settingsOf } from '../driving/session-setup.ts';
import type { GlobalOptions } from '../options.ts';
import { metaOf } from '../store/session-meta.ts';
import { hostedAgent, type HostedAgentSettings } from './hosted-agent.ts';
import { NotedSessions, type NotedSessionsParts } from './noted-sessions.ts';

/** Options of the sessions of a command. */
export interface CommandSessionsParts {
  readonly options: GlobalOptions;
  readonly command: AgentCommand;
  readonly rules: SessionRules;
  /** Settings of the agent besides those of the options. */
  readonly agent: Pick<HostedAgentSettings, 'terminalLogin' | 'mcpServers' | 'retry' | 'log'>;
  /** Receives every frame of the agent. */
  readonly tap?: FrameTap | undefined;
  /** How its sessions are recorded for `--continue` and `--resume`. */
  readonly noted: Omit<NotedSessionsParts, 'agent'>;
  /** Receives a sentence if the trace cannot be written. */
  readonly onProblem: (message: string) => void;
}

const agentName = 'agent';

/** The sessions of one command, in its process: they end with it. */
export class CommandSessions implements AsyncDisposable {
  readonly #options: GlobalOptions;
  readonly #sessions: Sessions;
  readonly #trace: TraceWriter | undefined;
  readonly #noted: NotedSessions;

  constructor({ options, command, rules, agent, tap, noted, onProblem }: CommandSessionsParts) {
    const { cwd, fs: files, terminal: terminals, auth, authPolicy, trace } = options;
    const secrets = Object.values(command.env);
    const writer = trace === undefined ? undefined : traceWriter({ path: trace, secrets, onProblem });
    const taps = writer || tap;
    const hosted = hostedAgent(command, {
      ...{ files, terminals, auth, authPolicy, ...agent },
      ...(taps && {
        tap: (direction, frame) => {
          writer?.tap(direction, frame);
          return tap?.(direction, frame);
        },
      }),
    });
    this.#options = options;
    this.#trace = writer;
    this.#noted = new NotedSessions({ ...noted, agent: command.choice });
    this.#sessions = new Sessions({
      store: this.#noted.watched(memoryStore()),
      agents: { [agentName]: hosted },
      cwd,
      rules,
      history: 'passing',
      // The user types the prompts, can answer, and sees the queue.
      limits: { question: Infinity, queue: Infinity },
    });
  }

  /**
   * Makes a session, whose agent is started by `wake`.
   * @param agentSessionId the agent's id of the session to continue. Default: a new one
   */
  begin(agentSessionId: string | undefined): Promise<Session> {
    const { cwd, addDir: additionalDirectories } = this.#options;
    const meta = metaOf(settingsOf(this.#options));
    return this.#sessions.create({
      ...{ tenant: 'local', agent: agentName, cwd, additionalDirectories, meta, agentSessionId },
      mcpServers: [],
      startsLater: true,
    });
  }

  /** Ends the agents. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions.close();
    await this.#noted.written();
    await this.#trace?.close();
  }
}
