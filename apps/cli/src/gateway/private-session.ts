import { type Agent, type FrameTap, lossText, type Session } from '@turnwire/client';
import type { AgentCommand } from '../driving/agent-command.ts';
import { answersOf } from '../driving/scripted-answers.ts';
import { mcpServersOf, metaOf, setModel, settingsOf, usableServers } from '../driving/session-setup.ts';
import { complain } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import type { TurnScreen } from '../output/turn-screen.ts';
import { PrivateGateway } from './private-gateway.ts';
import { sessionClient } from './session-client.ts';

/** What a command has a session of its own for. */
export interface PrivateSessionParts {
  readonly options: GlobalOptions;
  readonly command: AgentCommand;
  readonly screen: Pick<TurnScreen, 'update' | 'ask' | 'elicit'>;
  /** Receives every frame of the agent. */
  readonly tap?: FrameTap;
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
    const { options, command, screen, tap } = this.#parts;
    const { cwd, addDir, mcpConfig, config, model } = options;
    const servers = await mcpServersOf(mcpConfig ?? config.mcpConfig ?? config.mcpServers, cwd);
    const answers = await answersOf(options.answers);
    this.#gateway = new PrivateGateway({ options, command, tap });
    this.#agent = await sessionClient(this.#gateway.transport, { options, screen, answers, signal });
    const session = await this.#agent.newSession({
      cwd,
      additionalDirectories: addDir,
      mcpServers: usableServers(this.#agent, servers, complain),
      meta: metaOf(settingsOf(options)),
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
