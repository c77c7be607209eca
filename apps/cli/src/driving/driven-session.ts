import {
  type Agent,
  type AgentOptions,
  type FrameTap,
  lossText,
  type NewSessionOptions,
  type Session,
} from '@turnwire/client';
import type { Permissions } from '@turnwire/permissions';
import { type TraceWriter, traceWriter } from '@turnwire/trace/node';
import type { AgentCommand } from './agent-command.ts';
import {
  settingsOf,
  ensureAskMode,
  mcpServersOf,
  metaOf,
  refuseUnknownLogin,
  setModel,
  usableServers,
} from './session-setup.ts';
import { drive } from './drive.ts';
import { complain } from '../failure.ts';
import { headlessHost } from './headless-host.ts';
import type { GlobalOptions } from '../options.ts';
import type { ElicitUser } from '../output/turn-screen.ts';
import { verboseLog } from '../output/verbose-log.ts';
import { answersOf } from './scripted-answers.ts';
import { sayTerminalLogin } from './terminal-login.ts';
import { stderr } from '../terminal/output.ts';

/** The options of a session without persistence. */
export interface DrivenSessionParts {
  readonly options: GlobalOptions;
  readonly command: AgentCommand;
  readonly permissions: Permissions;
  readonly onUpdate: NonNullable<NewSessionOptions['onUpdate']>;
  /** Asks the user a question of the agent; absent if there is no user to ask. */
  readonly elicit?: ElicitUser | undefined;
  /** Receives every frame. */
  readonly tap?: FrameTap;
}

/** An agent and one session with it, set up from the options: for a command that prints. */
export class DrivenSession implements AsyncDisposable {
  readonly #parts: DrivenSessionParts;
  #trace: TraceWriter | undefined;
  #agent: Agent | undefined;
  #sessionId: string | undefined;

  constructor(parts: DrivenSessionParts) {
    this.#parts = parts;
  }

  /** Undefined until it is started. */
  get agent(): Agent | undefined {
    return this.#agent;
  }

  /** Starts the agent, makes a session, and sets it up. */
  async open(signal: AbortSignal): Promise<Session> {
    const { options, permissions, command, onUpdate } = this.#parts;
    const { cwd, addDir, auth, mcpConfig, config, authPolicy, model } = options;
    const servers = await mcpServersOf(mcpConfig ?? config.mcpConfig ?? config.mcpServers, cwd);
    const agent = await this.#start(signal);
    this.#agent = agent;
    refuseUnknownLogin(agent, { auth, authPolicy });
    const session = await agent.newSession({
      cwd,
      additionalDirectories: addDir,
      mcpServers: usableServers(agent, servers, complain),
      meta: metaOf(settingsOf(options)),
      signal,
      onMessageLost: (loss) => complain(lossText(loss)),
      onUpdate: (update, context) => {
        const unasked = this.#sessionId === undefined ? undefined : permissions.observe(this.#sessionId, update);
        if (unasked) complain(unasked.explanation);
        return onUpdate(update, context);
      },
    });
    this.#sessionId = session.id;
    const setMode = async (modeId: string): Promise<void> => session.modes?.set(modeId);
    await ensureAskMode(session, { differences: command.differences, permissions, setMode, remark: complain });
    if (model !== undefined) await setModel(session, model);
    return session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent?.close();
    await this.#trace?.close();
  }

  async #start(signal: AbortSignal): Promise<Agent> {
    const { options, command, permissions, tap, elicit = () => undefined } = this.#parts;
    const { cwd, fs: files, terminal: terminals, auth, trace, verbose } = options;
    const { words, env, inheritEnv, differences } = command;
    const answers = await answersOf(options.answers);
    const { missingFile } = differences ?? {};
    const secrets = Object.values(env);
    const writer = trace === undefined ? undefined : traceWriter({ path: trace, secrets, onProblem: complain });
    this.#trace = writer;
    return drive({
      ...{ words, cwd, env, inheritEnv, differences, auth, signal },
      host: headlessHost({ files, terminals, answers, inheritEnv, missingFile, elicit, remark: complain }),
      permissions: () => permissions,
      terminalLogin: this.#terminalLogin(),
      tap: (direction, frame) => {
        writer?.tap(direction, frame);
        tap?.(direction, frame);
      },
      log: verbose ? verboseLog : undefined,
    });
  }

  /** A user at a terminal can run a login, though not through us: agents offer it, and we print the command. */
  #terminalLogin(): AgentOptions['terminalLogin'] {
    const { command } = this.#parts;
    const isAtTerminal = process.stdin.isTTY && stderr.isTerminal;
    return isAtTerminal ? (method) => sayTerminalLogin(method, command) : undefined;
  }
}
