import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { within } from '@turnwire/machine/waits';
import type { Script, Scripts, Scenario } from '../judge/scenario.ts';
import type { CheckedVersion } from '../requirements/requirement.ts';
import { Observer } from '../verdict/observer.ts';
import { isOffered, type JournalEntry } from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';
import type { AnswerLimits } from '../wire/wire.ts';
import { defaultText, SimulatedAgent } from './agent/simulated-agent.ts';
import { type ClientBaseline, defaultBaseline } from './client-baseline.ts';
import type { ClientAction } from './drive/client-driver.ts';
import type { ClientEnd, ClientRun } from './drive/client-run.ts';
import type { ClientSubject } from './drive/client-subject.ts';
import { type LaunchPad, openLaunchPad } from './launch/launch-pad.ts';
import type { Launch } from './launch/launch.ts';
import {
  openSimulatedServer,
  type ServerAnswer,
  type SimulatedServer,
  type SeenRequest,
} from './launch/simulated-server.ts';
import { SimulatedTurn, type TurnScript } from './simulated-turn.ts';

/** How long after the end of a client the start of an agent may still be reported, in milliseconds. */
const lateLaunch = 500;

/** How long the agent waits between the last update of a turn and its answer, in milliseconds. */
const settling = 100;

/** Options for judging a client. */
export interface ClientCheckSettings {
  /**
   * Timeouts in milliseconds for the client: to start its agent (`start`), to answer a request of its agent (`answer`), to complete its
   * task (`end`), and to exit when it is interrupted (`leave`).
   */
  readonly timeouts: { readonly start: number; readonly answer: number; readonly end: number; readonly leave: number };
  /** The seed of random scenarios. */
  readonly seed: number;
  /** The version of the protocol to judge by: the simulated agent speaks it. Default 1. */
  readonly version?: CheckedVersion | undefined;
  /** How requests of the agent are answered, by method. Default: unknown. */
  readonly answers?: AnswerLimits | undefined;
}

export interface Done {
  readonly agent: SimulatedAgent;
  readonly end: ClientEnd;
}

export type Values = Readonly<Record<string, string>>;

/** A test of a client for one or more requirements. */
export type ClientScenario = Scenario<ClientContext>;

/** The code of a scenario. */
export type ClientScript = Script<ClientContext>;

/** The code of scenarios by id; `scenarios.json` describes them. */
export type ClientScripts = Scripts<ClientContext>;

/**
 * The context of a scenario for clients. A scenario defines the behaviour of the agent, makes the client do something, and examines the
 * frames, the output of the client and how it ended:
 *
 * ```ts
 * context.play((agent) => agent.offerEverything()); // before the client starts; runs for every agent it starts
 * const { agent, end } = await context.turn(async (turn) => {
 *   const reply = await turn.ask('fs/read_text_file', { path }); // inside the turn
 *   context.see.check('R214', reply.error?.code !== -32_002 && 'a missing file was answered with another error', reply);
 * });
 * ```
 *
 * `turn` is for what happens inside a turn; `perform` for every other action of a client (`load`, `list`, …), with `agent.handle(method,
 * …)` for the answers of the agent; `start`, `launched` and `ended` for what must be observed step by step. A client that lacks an
 * action, or does not reach the point in question, stops the scenario, and the remaining requirements stay unseen.
 */
export class ClientContext {
  readonly see: Observer;
  /** The working directory of the client: empty, without symbolic links in its path. Scenarios may create files in it and next to it. */
  readonly folder: string;
  readonly settings: ClientCheckSettings;
  /** The version of the protocol that agents speak which are started from now on. */
  agentVersion: CheckedVersion;
  readonly baseline: ClientBaseline;
  readonly #subject: ClientSubject;
  readonly #sandbox: string;
  /** Every agent that the client has started so far. */
  readonly agents: SimulatedAgent[] = [];
  readonly #runs: ClientRun[] = [];
  readonly #scripts: ((agent: SimulatedAgent) => void)[] = [];
  #pad: LaunchPad | undefined;
  #server: SimulatedServer | undefined;
  /** Replaces the answers to HTTP requests of the client with invalid ones. */
  answerOddly: (request: SeenRequest) => ServerAnswer | undefined = () => undefined;
  #changed: () => void = () => undefined;
  /** Whether the client ended before it started its agent. */
  #isDone = false;
  readonly #failure: Promise<never>;
  #fail: (error: unknown) => void = () => undefined;

  /** @param options `sandbox` contains the folders `project` and `home`, and receives the launcher */
  constructor(
    subject: ClientSubject,
    options: {
      readonly sandbox: string;
      readonly settings: ClientCheckSettings;
      readonly baseline?: ClientBaseline | undefined;
    },
  ) {
    const { sandbox, settings, baseline = defaultBaseline } = options;
    this.#subject = subject;
    this.#sandbox = sandbox;
    this.folder = join(sandbox, 'project');
    this.settings = settings;
    this.agentVersion = settings.version ?? 1;
    this.see = new Observer(this.agentVersion);
    this.baseline = baseline;
    this.#failure = new Promise((_, reject) => (this.#fail = reject));
    this.#failure.catch(() => undefined);
    this.onPrompt((turn) => turn.say(defaultText));
  }

  /** The frames of every connection that was opened. */
  get journals(): readonly (readonly JournalEntry[])[] {
    return this.agents.map(({ journal }) => journal);
  }

  /** The HTTP requests of a client that reaches its agent by a URL. */
  get requests(): readonly SeenRequest[] {
    return this.#server?.requests ?? [];
  }

  /** A path next to {@link folder}. */
  sibling(...names: readonly string[]): string {
    return join(this.#sandbox, ...names);
  }

  can(action: ClientAction): boolean {
    return this.#subject.can(action);
  }

  /** Whether a user types while the client works: its questions may then wait for the user. */
  isTyped(action: ClientAction): boolean {
    return this.#subject.isTyped?.(action) === true;
  }

  /** Configures agents that are started from now on. By default they advertise nothing and answer everything. */
  play(script: (agent: SimulatedAgent) => void): void {
    this.#scripts.push(script);
  }

  /** Makes the client do something. Stops the scenario if the driver does not support the action. */
  async start(action: ClientAction, values: Values = {}): Promise<ClientRun> {
    if (!this.can(action)) throw new Stopped(`the driver of this client has no steps for “${action}”`);
    const { path } = await this.#opened();
    const known = {
      ...{ agent: path, bin: this.sibling('agent'), cwd: this.folder, prompt: 'Say something.' },
      protocol: String(this.settings.version ?? 1),
    };
    const order = { action, values: { ...known, ...values }, home: this.sibling('home') };
    const run = await this.#subject
      .start({ ...order, attach: (line) => this.#meet({ line }) })
      .catch((error: unknown) => {
        throw new Stopped(`the client cannot be started: ${error instanceof Error ? error.message : String(error)}`);
      });
    this.#runs.push(run);
    void run.exited.then(async () => {
      await delay(lateLaunch);
      this.#isDone = this.#runs.at(-1) === run;
      this.#changed();
    });
    return run;
  }

  /** The first agent that the client starts, or the one with a later index. Stops the scenario if the client does not start it. */
  async launched(nth = 0): Promise<SimulatedAgent> {
    await this.#until(() => this.agents.length > nth || this.#isDone, this.settings.timeouts.start);
    const agent = this.agents[nth];
    if (agent === undefined)
      throw new Stopped(
        `the client did not start its agent${nth > 0 ? ' again' : ''}${lastLineOf(this.#runs.at(-1)?.stderr())}`,
      );
    return agent;
  }

  /** Waits until a client ends by itself; after the timeout interrupts it, then kills it. Never rejects. */
  async ended(run: ClientRun, milliseconds: number = this.settings.timeouts.end): Promise<ClientEnd> {
    const how = await this.#ending(run, milliseconds);
    return { how, exit: await run.exited, pids: run.pids(), stdout: run.stdout(), stderr: run.stderr() };
  }

  async perform(action: ClientAction, values: Values = {}): Promise<Done> {
    const run = await this.start(action, values);
    const agent = await this.launched();
    return { agent, end: await this.orFailure(this.ended(run)) };
  }

  /** Sets the behaviour of agents in a turn. In version 2 the turn begins before the script, unless that `begins` it. */
  onPrompt(script: TurnScript, { begins = false }: Pick<TurnOptions, 'begins'> = {}): void {
    this.play((agent) =>
      agent.handle('session/prompt', async (params, { id }) => {
        const turn = new SimulatedTurn(agent, params, id);
        if (agent.version === 2 && !begins) turn.begin();
        await turn.play(script);
      }),
    );
  }

  /** Makes the client begin a turn, and resolves once it has sent its prompt. Stops the scenario if it sends none. */
  async begin(action: ClientAction): Promise<{ readonly run: ClientRun; readonly agent: SimulatedAgent }> {
    const run = await this.start(action);
    const agent = await this.launched();
    if ((await agent.call('session/prompt', this.settings.timeouts.end)) === undefined)
      throw new Stopped('the client did not send a prompt');
    return { run, agent };
  }

  /** Resolves with `wanted`, or rejects as soon as a handler of the agent stops the scenario. */
  orFailure<Value>(wanted: Promise<Value>): Promise<Value> {
    return Promise.race([wanted, this.#failure]);
  }

  /** Makes the client send a prompt, and runs a script in that turn. Stops the scenario if no prompt arrives. */
  async turn(script: TurnScript, options: TurnOptions = {}): Promise<Done> {
    const { needs = [], mayFailEarly = false, values = {}, begins } = options;
    const { action = needs.length > 0 && this.can('allow') ? 'allow' : 'prompt' } = options;
    this.#expectPossible(action, needs);
    const play: TurnScript = async (turn) => {
      const missing = needs.find((path) => !turn.agent.clientOffers(path));
      if (missing !== undefined) throw new Stopped(notOffered(missing));
      const result = await script(turn);
      // Only updates/before-the-answer (R369) judges clients whose answers overtake updates; the pause keeps other scenarios from finding
      // it at random.
      if (result !== null) await turn.agent.quiet(settling);
      return result;
    };
    this.onPrompt(play, { begins });
    const done = await this.perform(action, values);
    if (!mayFailEarly && !this.agents.some((agent) => agent.calls('session/prompt').length > 0))
      throw new Stopped(`the client did not send a prompt: ${howItEnded(done.end)}`);
    return done;
  }

  async close(): Promise<void> {
    await Promise.all(this.#runs.map((run) => run.kill()));
    await Promise.all(this.agents.map((agent) => agent.close()));
    await this.#pad?.[Symbol.asyncDispose]();
  }

  /**
   * Stops the scenario if the driver lacks the action and the client does not offer the capability anyway: the missing capability is the
   * better reason.
   */
  #expectPossible(action: ClientAction, needs: readonly string[]): void {
    const { capabilities } = this.baseline;
    if (this.can(action) || capabilities === undefined) return;
    const lacking = needs.find((path) => !isOffered(capabilities, path));
    if (lacking !== undefined) throw new Stopped(notOffered(lacking));
  }

  async #opened(): Promise<LaunchPad> {
    const { agentNames: names = [] } = this.#subject;
    const onLaunch = (launch: Launch): void => this.#meet(launch);
    const { over: profile } = this.#subject;
    if (profile !== undefined && this.#server === undefined) {
      this.#server = await openSimulatedServer(profile, onLaunch, (request) => this.answerOddly(request));
      this.#pad = this.#server;
    }
    return (this.#pad ??= await openLaunchPad(this.sibling('agent'), names, onLaunch));
  }

  #meet(launch: Launch): void {
    const line = this.#subject.tampered?.(launch.line) ?? launch.line;
    const agent = new SimulatedAgent(
      { ...launch, line },
      {
        version: this.agentVersion,
        timeout: this.settings.answers ?? this.settings.timeouts.answer,
        onFailure: this.#fail,
      },
    );
    this.agents.push(agent);
    try {
      for (const script of this.#scripts) script(agent);
    } catch (error) {
      this.#fail(error);
    }
    agent.listen();
    this.#changed();
  }

  async #ending(run: ClientRun, milliseconds: number): Promise<ClientEnd['how']> {
    if (await isOver(run, milliseconds)) return 'by itself';
    // Interrupt twice, as users do: after the first a client may still shut down gracefully.
    for (const share of [0.25, 0.75]) {
      run.interrupt();
      if (await isOver(run, share * this.settings.timeouts.leave)) return 'interrupted';
    }
    await run.kill();
    return 'killed';
  }

  async #until(isSo: () => boolean, milliseconds: number): Promise<void> {
    const changed = new Promise<void>((resolve) => {
      this.#changed = () => void (isSo() && resolve());
      this.#changed();
    });
    await within(milliseconds, changed);
  }
}

export interface TurnOptions {
  readonly action?: ClientAction;
  readonly values?: Values;
  /**
   * Capabilities that the client must advertise, as paths such as `fs.readTextFile`; otherwise the scenario stops. If the driver has
   * `allow`, that is then the default action.
   */
  readonly needs?: readonly string[];
  /** Version 2: whether the script itself answers and echoes the prompt, and reports that the session is running. Default false. */
  readonly begins?: boolean | undefined;
  /** Whether the scenario itself may keep the client from sending a prompt. A missing prompt does not stop the scenario then. */
  readonly mayFailEarly?: boolean;
}

/** A scenario that consists of one turn, begun with these options. */
export function inTurn(
  options: TurnOptions,
  script: (turn: SimulatedTurn, context: ClientContext) => ReturnType<TurnScript>,
): (context: ClientContext) => Promise<void> {
  return async (context) => void (await context.turn((turn) => script(turn, context), options));
}

function notOffered(path: string): string {
  return `the client does not offer ${path}`;
}

async function isOver(run: ClientRun, milliseconds: number): Promise<boolean> {
  return (await within(milliseconds, run.exited)) !== undefined;
}

/** Stops a scenario because the client did not complete its task. */
export function didNot(what: string, end: ClientEnd): Stopped {
  return new Stopped(`the client ${what}: ${howItEnded(end)}`);
}

/** How a client ended, as the end of a sentence. */
export function howItEnded({ how, exit, stderr }: ClientEnd): string {
  const with_ = exit.signal === null ? `exit code ${String(exit.code)}` : exit.signal;
  return `it ended ${how} with ${with_}${lastLineOf(stderr)}`;
}

function lastLineOf(stderr = ''): string {
  const words = stderr.trim().split('\n').at(-1) ?? '';
  return words === '' ? '' : `; its last line on stderr is: ${words.slice(0, 300)}`;
}
