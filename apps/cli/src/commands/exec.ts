import type { Agent, Session } from '@agentwire/client';
import type { Permissions } from '@agentwire/client/permissions';
import { type TraceWriter, traceWriter } from '@agentwire/client/trace';
import { type AgentCommand, agentCommand } from '../agent-command.ts';
import { drive } from '../driving.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, complain, explain, whereFrom } from '../failure.ts';
import { headlessHost } from '../headless-host.ts';
import { CostLimit } from '../limits/cost-limit.ts';
import { withRetries } from '../limits/retries.ts';
import type { GlobalOptions } from '../options.ts';
import { openScreen, type TurnScreen } from '../output/turn-screen.ts';
import { refuseUnaskable } from '../permission/agent-asking.ts';
import { PermissionCount } from '../permission/permission-count.ts';
import { turnPermissions } from '../permission/turn-permissions.ts';
import { contentOf } from '../prompt-content.ts';
import { answersOf } from '../scripted-answers.ts';
import {
  fittingValue,
  makeAsk,
  mcpServersOf,
  metaOf,
  refuseUnknownLogin,
  setModel,
  usableServers,
} from '../session-setup.ts';
import { Stopping } from '../stopping.ts';
import { verboseLog } from '../output/verbose-log.ts';
import type { Draft } from './prompt-source.ts';
import { settingsOf } from './session-place.ts';
import { remarkOn } from './stop-reasons.ts';

/** A turn without a session. */
export interface ExecGiven {
  readonly draft: Draft;
  /** Options to set before, as `key=value`. */
  readonly configOptions: readonly string[];
}

/** Runs one turn and prints it. Resolves with the exit code. */
export async function exec(given: ExecGiven, options: GlobalOptions): Promise<number> {
  const command = await agentCommand(options);
  using stopping = new Stopping(options.timeout);
  const turn = new ExecTurn(options, command, stopping);
  try {
    await turn.run(given);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (!stopping.reason) {
      complain(`${explain(error, turn.agent)}${whereFrom(error, options)}`);
      return exitCodes.error;
    }
  } finally {
    await turn.close();
  }
  if (stopping.reason?.message) complain(stopping.reason.message);
  return stopping.reason?.exitCode ?? (turn.isDenied ? exitCodes.denied : exitCodes.ok);
}

/** One turn with one agent: everything it needs, from the start of the agent to its end. */
class ExecTurn {
  readonly #options: GlobalOptions;
  readonly #command: AgentCommand;
  readonly #stopping: Stopping;
  readonly #screen: TurnScreen;
  readonly #count = new PermissionCount();
  readonly #cost: CostLimit;
  readonly #permissions: Permissions;
  #trace: TraceWriter | undefined;
  #agent: Agent | undefined;
  #hasBegun = false;

  constructor(options: GlobalOptions, command: AgentCommand, stopping: Stopping) {
    this.#options = options;
    this.#command = command;
    this.#stopping = stopping;
    this.#screen = openScreen(options, stopping);
    this.#cost = new CostLimit(options.maxCost);
    this.#permissions = turnPermissions(options.permission, {
      cwd: options.cwd,
      differences: command.differences,
      ask: this.#screen.ask,
      remark: complain,
      stop: (message) => stopping.stop({ exitCode: exitCodes.denied, message }),
    });
    this.#permissions.onDecision(this.#count.hear);
  }

  get agent(): Agent | undefined {
    return this.#agent;
  }

  get isDenied(): boolean {
    return this.#count.isDenied;
  }

  async run({ draft, configOptions }: ExecGiven): Promise<void> {
    const { cwd, addDir } = this.#options;
    refuseUnaskable(this.#command.differences, this.#permissions, cwd);
    const session = await this.#open();
    await this.#choose(session, configOptions);
    const content = await contentOf(draft, this.#agent, { cwd, additionalDirectories: addDir });
    await withRetries(() => this.#turn(session, content), {
      count: this.#options.promptRetries ?? 0,
      // A new agent would be a new session: only what the agent itself may answer differently is tried again.
      hasBegun: () => this.#hasBegun || this.#agent?.peer === undefined,
      signal: this.#stopping.signal,
      onRetry: complain,
    });
  }

  async close(): Promise<void> {
    await this.#agent?.close();
    await this.#trace?.close();
  }

  async #open(): Promise<Session> {
    const { cwd, addDir, auth, mcpConfig, config, authPolicy } = this.#options;
    const servers = await mcpServersOf(mcpConfig ?? config.mcpConfig ?? config.mcpServers, cwd);
    this.#agent = await this.#start();
    refuseUnknownLogin(this.#agent, { auth, authPolicy });
    return this.#agent.newSession({
      cwd,
      additionalDirectories: addDir,
      mcpServers: usableServers(this.#agent, servers, complain),
      meta: metaOf(settingsOf(this.#options)),
      signal: this.#stopping.signal,
      onUpdate: (update) => {
        this.#permissions.observe('', update);
        return this.#screen.update(update);
      },
    });
  }

  async #start(): Promise<Agent> {
    const { cwd, fs: files, terminal: terminals, answers, auth, trace, verbose } = this.#options;
    const { words, env, inheritEnv, differences } = this.#command;
    const host = headlessHost({
      files,
      terminals,
      answers: await answersOf(answers),
      inheritEnv,
      missingFile: differences?.missingFile,
      remark: complain,
    });
    const writer =
      trace === undefined ? undefined : traceWriter({ path: trace, secrets: Object.values(env), onProblem: complain });
    this.#trace = writer;
    return drive({
      words,
      cwd,
      env,
      inheritEnv,
      differences,
      host,
      permissions: () => this.#permissions,
      auth,
      tap: (direction, frame) => {
        writer?.tap(direction, frame);
        void this.#screen.frame(frame);
      },
      log: verbose ? verboseLog : undefined,
      signal: this.#stopping.signal,
    });
  }

  async #choose(session: Session, configOptions: readonly string[]): Promise<void> {
    const { model } = this.#options;
    const { differences } = this.#command;
    const setMode = async (modeId: string): Promise<void> => session.modes?.set(modeId);
    await makeAsk(session, { differences, permissions: this.#permissions, setMode, remark: complain });
    if (model !== undefined) await setModel(session, model);
    for (const [id = '', value = ''] of configOptions.map((each) => each.split(/=(.*)/s, 2))) {
      if (!session.configOptions) throw new Error(`the agent has no options, so ${id} cannot be set`);
      await session.configOptions.set(id, fittingValue(session, id, value));
    }
  }

  async #turn(session: Session, content: Parameters<Session['prompt']>[0]): Promise<void> {
    const { signal } = this.#stopping;
    const turn = session.prompt(content);
    const cancel = (): void => void turn.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      for await (const update of turn) {
        this.#hasBegun = true;
        const message = this.#cost.exceededBy(update);
        if (message !== undefined) this.#stopping.stop({ exitCode: exitCodes.tooExpensive, message });
      }
      const remark = remarkOn((await turn.result).stopReason);
      if (remark !== undefined) complain(remark);
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#screen.end();
    }
  }
}
