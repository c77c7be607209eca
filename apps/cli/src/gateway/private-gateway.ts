import type { FrameTap } from '@turnwire/client';
import { Gateway, memoryStore, type SessionRules } from '@turnwire/gateway';
import type { Transport } from '@turnwire/protocol';
import { type TraceWriter, traceWriter } from '@turnwire/trace/node';
import { memoryPair } from '@turnwire/transports/memory';
import type { AgentCommand } from '../driving/agent-command.ts';
import type { GlobalOptions } from '../options.ts';
import { hostedAgent, type HostedAgentSettings } from './hosted-agent.ts';
import { NotedSessions, type NotedSessionsParts } from './noted-sessions.ts';

/** What a command has a gateway of its own for. */
export interface PrivateGatewayParts {
  readonly options: GlobalOptions;
  readonly command: AgentCommand;
  readonly rules: SessionRules;
  /** What is said about the agent besides what the options say. */
  readonly agent: Pick<HostedAgentSettings, 'terminalLogin' | 'mcpServers' | 'retry' | 'log'>;
  /** Receives every frame of the agent. */
  readonly tap?: FrameTap | undefined;
  /** What its sessions are noted as, so that they can be gone on with. */
  readonly noted: Omit<NotedSessionsParts, 'agent'>;
  /** Receives a sentence if the trace cannot be written. */
  readonly onProblem: (message: string) => void;
}

const agentName = 'agent';

/** A gateway for one command, in its process: its sessions end with it. */
export class PrivateGateway implements AsyncDisposable {
  readonly #gateway: Gateway;
  readonly #trace: TraceWriter | undefined;
  readonly #noted: NotedSessions;

  constructor({ options, command, rules, agent, tap, noted, onProblem }: PrivateGatewayParts) {
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
    this.#trace = writer;
    this.#noted = new NotedSessions({ ...noted, agent: command.choice });
    this.#gateway = new Gateway({
      store: this.#noted.watched(memoryStore()),
      agents: { [agentName]: hosted },
      cwd,
      rules,
      history: 'passing',
      // Whoever types the prompts is there to answer, and sees what waits.
      limits: { question: Infinity, queue: Infinity },
    });
  }

  /** Connects a client. Returns the end of a wire that leads to the agent. */
  connect(): Transport {
    const [near, far] = memoryPair();
    this.#gateway.attach(far, { principal: { tenant: 'local', scope: 'admin', isOwner: true }, agent: agentName });
    return near;
  }

  /** Ends the agent. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gateway.close();
    await this.#noted.written();
    await this.#trace?.close();
  }
}
