import type { FrameTap } from '@turnwire/client';
import {
  memoryStore,
  type Session,
  type SessionFacts,
  type SessionRules,
  Sessions,
  type SessionsOptions,
  type SessionStore,
  sqliteStore,
} from '@turnwire/runtime';
import { type TraceWriter, traceWriter } from '@turnwire/trace/node';
import type { AgentCommand } from '../driving/agent-command.ts';
import type { GlobalOptions } from '../options.ts';
import { placeInUse } from '../own-places/place-in-use.ts';
import { isInterrupted } from '../store/interrupted-session.ts';
import { metaOf } from '../store/session-meta.ts';
import { agentTitle } from '../store/session-record.ts';
import { sessionsDatabase } from '../store/sessions-database.ts';
import { hostedAgent, type HostedAgentSettings } from './hosted-agent.ts';
import { spendingOf } from './metering.ts';
import { RecentSessionWriter, type RecentSessionWriterParts } from './recent-session-writer.ts';

/** Options of the sessions of a command. */
export interface CommandSessionsParts {
  readonly options: GlobalOptions;
  readonly command: AgentCommand;
  readonly rules: SessionRules;
  /** Records what the turns change, for `turnwire review`. Default: nothing is recorded. */
  readonly recorder?: SessionsOptions['recorder'];
  /** Further settings of the agent. */
  readonly agent: Pick<HostedAgentSettings, 'terminalLogin' | 'mcpServers' | 'retry' | 'log'>;
  /** Receives every frame of the agent. */
  readonly tap?: FrameTap | undefined;
  /** How the sessions are recorded for `--continue` and `--resume`. */
  readonly recent: Omit<RecentSessionWriterParts, 'agent'>;
  /** Called with a warning if the trace cannot be written. */
  readonly onProblem: (message: string) => void;
}

const agentName = 'agent';

/** The sessions of one command, in its process: they end with it. */
export class CommandSessions implements AsyncDisposable {
  readonly #options: GlobalOptions;
  readonly #command: AgentCommand;
  readonly #sessions: Sessions;
  readonly #trace: TraceWriter | undefined;
  readonly #recent: RecentSessionWriter;
  readonly #usage: SessionStore = sqliteStore({ path: sessionsDatabase(), ownThread: false });
  #use: Promise<AsyncDisposable | undefined> | undefined;

  constructor({ options, command, rules, recorder, agent, tap, recent, onProblem }: CommandSessionsParts) {
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
    this.#command = command;
    this.#trace = writer;
    this.#recent = new RecentSessionWriter({ ...recent, agent: command.choice });
    const spending = spendingOf(options.config);
    this.#sessions = new Sessions({
      store: memoryStore(),
      agents: { [agentName]: hosted },
      cwd,
      ...{ rules, recorder },
      history: 'passing',
      metering: {
        spending: () => spending,
        record: this.#usage,
        // The next command with the agent's session continues it under another id.
        label: ({ id, facts }) => ({
          agent: agentTitle(command.choice),
          session: (facts as SessionFacts).agentSessionId ?? id,
        }),
      },
      // The user types the prompts, can answer, and sees the queue.
      limits: { question: Infinity, queue: Infinity },
      onEvent: (session, event) => this.#recent.add(session, event),
    });
  }

  /**
   * Makes a session without starting its agent: `wake` does that.
   * @param agentSessionId the agent's id of the session to continue. Default: a new one
   */
  async begin(agentSessionId: string | undefined): Promise<Session> {
    const { cwd, addDir: additionalDirectories } = this.#options;
    const meta = metaOf(this.#options);
    const agent = this.#command.choice;
    await (this.#use ??= placeInUse(cwd));
    const session = await this.#sessions.create({
      ...{ tenant: 'local', agent: agentName, cwd, additionalDirectories, meta, agentSessionId },
      mcpServers: [],
      startsLater: true,
      wasInterrupted: agentSessionId !== undefined && (await isInterrupted({ agent, sessionId: agentSessionId })),
    });
    if (agentSessionId === undefined) this.#recent.begun(session.id);
    return session;
  }

  /** Ends the agents. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions.close();
    await this.#usage.close();
    await this.#recent.written();
    await this.#trace?.close();
    await (await this.#use?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
}
