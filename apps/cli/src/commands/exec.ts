import type { Agent, Session } from '@turnwire/client';
import type { Permissions } from '@turnwire/permissions';
import { type AgentCommand, agentCommand } from '../driving/agent-command.ts';
import { DrivenSession } from '../driving/driven-session.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, complain, explain, whereFrom } from '../failure.ts';
import { CostLimit } from '../limits/cost-limit.ts';
import { withRetries } from '../limits/retries.ts';
import type { GlobalOptions } from '../options.ts';
import { openScreen, type TurnScreen } from '../output/turn-screen.ts';
import { requireEnforceablePolicy } from '../permission/require-enforceable-policy.ts';
import { PermissionCount } from '../permission/permission-count.ts';
import { turnPermissions } from '../permission/turn-permissions.ts';
import { contentOf, type Draft } from '../driving/prompt-content.ts';
import { fittingValue } from '../driving/session-setup.ts';
import { Stopping } from '../stopping.ts';
import { howToLogIn } from '../driving/terminal-login.ts';
import { remarkOn } from './stop-reasons.ts';

/** A turn without a session. */
export interface ExecGiven {
  readonly draft: Draft;
  /** Options to set first, as `key=value`. */
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
      complain(`${explain(error, turn.agent)}${whereFrom(error, options)}${howToLogIn(error, turn.agent, command)}`);
      return exitCodes.error;
    }
  } finally {
    await turn.close();
  }
  if (stopping.reason?.message) complain(stopping.reason.message);
  return stopping.reason?.exitCode ?? (turn.isDenied ? exitCodes.denied : exitCodes.ok);
}

/** One turn with one agent, from the start of the agent to its end. */
class ExecTurn {
  readonly #options: GlobalOptions;
  readonly #command: AgentCommand;
  readonly #stopping: Stopping;
  readonly #screen: TurnScreen;
  readonly #count = new PermissionCount();
  readonly #cost: CostLimit;
  readonly #permissions: Permissions;
  readonly #driven: DrivenSession;
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
      isVerbose: options.verbose,
      stop: (message) => stopping.stop({ exitCode: exitCodes.denied, message }),
    });
    this.#permissions.onDecision(this.#count.record);
    this.#driven = new DrivenSession({
      ...{ options, command, permissions: this.#permissions },
      onUpdate: (update) => this.#screen.update(update),
      elicit: this.#screen.elicit,
      tap: (_, frame) => void this.#screen.frame(frame),
    });
  }

  get agent(): Agent | undefined {
    return this.#driven.agent;
  }

  get isDenied(): boolean {
    return this.#count.isDenied;
  }

  async run({ draft, configOptions }: ExecGiven): Promise<void> {
    const { cwd, addDir } = this.#options;
    requireEnforceablePolicy(this.#command.differences, this.#permissions, cwd);
    const session = await this.#driven.open(this.#stopping.signal);
    await this.#choose(session, configOptions);
    const content = await contentOf(draft, this.agent, { cwd, additionalDirectories: addDir });
    await withRetries(() => this.#turn(session, content), {
      count: this.#options.promptRetries ?? 0,
      // A new agent would be a new session, so only requests that the same agent may answer differently are retried.
      hasBegun: () => this.#hasBegun || this.agent?.peer === undefined,
      signal: this.#stopping.signal,
      onRetry: complain,
    });
  }

  async close(): Promise<void> {
    await this.#driven[Symbol.asyncDispose]();
  }

  async #choose(session: Session, configOptions: readonly string[]): Promise<void> {
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
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#screen.end();
    }
    const remarks = [remarkOn((await turn.result).stopReason), this.#cost.warning()];
    for (const remark of remarks) if (remark !== undefined) complain(remark);
  }
}
