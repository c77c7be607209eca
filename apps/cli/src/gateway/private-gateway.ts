import type { FrameTap } from '@turnwire/client';
import { Gateway, memoryStore } from '@turnwire/gateway';
import type { Transport } from '@turnwire/protocol';
import { type TraceWriter, traceWriter } from '@turnwire/trace/node';
import { memoryPair } from '@turnwire/transports/memory';
import type { AgentCommand } from '../driving/agent-command.ts';
import { sayTerminalLogin } from '../driving/terminal-login.ts';
import { complain } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { verboseLog } from '../output/verbose-log.ts';
import { stderr } from '../terminal/output.ts';
import { hostedAgent } from './hosted-agent.ts';
import { sessionRules } from './session-rules.ts';

/** What a command has a gateway of its own for. */
export interface PrivateGatewayParts {
  readonly options: GlobalOptions;
  readonly command: AgentCommand;
  /** Receives every frame of the agent. */
  readonly tap?: FrameTap | undefined;
}

const agentName = 'agent';

/** A gateway for one command, in its process: its sessions end with it. */
export class PrivateGateway implements AsyncDisposable {
  /** The end of a wire that leads to the agent. */
  readonly transport: Transport;
  readonly #gateway: Gateway;
  readonly #trace: TraceWriter | undefined;

  constructor({ options, command, tap }: PrivateGatewayParts) {
    const { cwd, fs: files, terminal: terminals, auth, authPolicy, trace, verbose } = options;
    const secrets = Object.values(command.env);
    const writer = trace === undefined ? undefined : traceWriter({ path: trace, secrets, onProblem: complain });
    const isAtTerminal = process.stdin.isTTY && stderr.isTerminal;
    const agent = hostedAgent(command, {
      ...{ files, terminals, auth, authPolicy },
      // A user at a terminal can run a login, though not through us: agents offer it, and we print the command.
      terminalLogin: isAtTerminal ? (method) => sayTerminalLogin(method, command) : undefined,
      tap: (direction, frame) => {
        writer?.tap(direction, frame);
        return tap?.(direction, frame);
      },
      log: verbose ? verboseLog : undefined,
    });
    this.#trace = writer;
    this.#gateway = new Gateway({
      store: memoryStore(),
      agents: { [agentName]: agent },
      cwd,
      rules: sessionRules(options.permission, {
        differences: () => command.differences,
        // Files are written until the command ends, and longer than its client listens.
        ...(verbose && { warn: complain }),
      }),
      history: 'passing',
    });
    const [near, far] = memoryPair();
    this.transport = near;
    this.#gateway.attach(far, { principal: { tenant: 'local', scope: 'admin' }, agent: agentName });
  }

  /** Ends the agent. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gateway.close();
    await this.#trace?.close();
  }
}
