import { type Agent, type FrameTap, lossText, type Session } from '@turnwire/client';
import type { AgentCommand } from '../driving/agent-command.ts';
import { answersOf } from '../driving/scripted-answers.ts';
import { mcpServersOf, setModel, settingsOf, usableServers } from '../driving/session-setup.ts';
import { metaOf } from '../store/session-meta.ts';
import { complain } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import type { TurnScreen } from '../output/turn-screen.ts';
import type { NotedSessionsParts } from './noted-sessions.ts';
import { PrivateGateway } from './private-gateway.ts';
import { showEvent, sessionClient } from './session-client.ts';
import { sessionRules } from './session-rules.ts';
import { sayTerminalLogin } from '../driving/terminal-login.ts';
import { verboseLog } from '../output/verbose-log.ts';
import { stderr } from '../terminal/output.ts';

/** What a command has a session of its own for. */
export interface PrivateSessionParts {
  readonly options: GlobalOptions;
  readonly command: AgentCommand;
  readonly screen: Pick<TurnScreen, 'update' | 'terminal' | 'permissionAsked' | 'ask' | 'elicit'>;
  /** Receives every frame of the agent. */
  readonly tap?: FrameTap;
  /** The agent's id of the session to go on with. Absent: a new one begins. */
  readonly agentSessionId?: string | undefined;
  readonly usedBy: NotedSessionsParts['usedBy'];
  readonly onNoted?: NotedSessionsParts['onNoted'];
}

/** A session that ends with the command, set up from its options. */
export class PrivateSession implements AsyncDisposable {
  readonly #parts: PrivateSessionParts;
  #gateway: PrivateGateway | undefined;
  #agent: Agent | undefined;

  constructor(parts: PrivateSessionParts) {
    this.#parts = parts;
  }

  /** The gateway as its client sees it, which is as the agent. Undefined until it is connected. */
  get agent(): Agent | undefined {
    return this.#agent;
  }

  /** Starts the agent and makes the session. */
  async open(signal: AbortSignal): Promise<Session> {
    const { options, command, screen, tap, agentSessionId, usedBy, onNoted } = this.#parts;
    const { cwd, addDir, mcpConfig, config, model, verbose } = options;
    const servers = await mcpServersOf(mcpConfig ?? config.mcpConfig ?? config.mcpServers, cwd);
    const answers = await answersOf(options.answers);
    const gateway = new PrivateGateway({
      options,
      command,
      tap,
      noted: { usedBy, onNoted },
      rules: sessionRules(options.permission, {
        differences: () => command.differences,
        // Files are written until the command ends, and longer than its client listens.
        ...(verbose && { warn: complain }),
      }),
      agent: {
        // A user at a terminal can run a login, though not through us: agents offer it, and we print the command.
        terminalLogin: isAtTerminal() ? (method) => sayTerminalLogin(method, command) : undefined,
        log: verbose ? verboseLog : undefined,
      },
      onProblem: complain,
    });
    this.#gateway = gateway;
    this.#agent = await sessionClient(gateway.connect(), {
      ...{ options, screen, answers, signal },
      onEvent: (event) => showEvent(event, screen),
    });
    const session = await this.#agent.newSession({
      cwd,
      additionalDirectories: addDir,
      mcpServers: usableServers(this.#agent, servers, complain),
      meta: { ...metaOf(settingsOf(options)), ...(agentSessionId !== undefined && { turnwire: { agentSessionId } }) },
      signal,
      onMessageLost: (loss) => complain(lossText(loss)),
      onUpdate: (update) => screen.update(update),
    });
    if (model !== undefined) await setModel(session, model);
    return session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent?.close();
    await this.#gateway?.[Symbol.asyncDispose]();
  }
}

function isAtTerminal(): boolean {
  return process.stdin.isTTY && stderr.isTerminal;
}
