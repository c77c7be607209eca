import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { within } from '@turnwire/machine/waits';
import type { Script, Scripts, Scenario } from '../judge/scenario.ts';
import { Observer } from '../verdict/observer.ts';
import { isOffered, type JournalEntry, type RawMessage } from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';
import { PlayedAgent } from './agent/played-agent.ts';
import { type ClientHabits, usualHabits } from './client-habits.ts';
import type { ClientAction } from './drive/client-driver.ts';
import type { ClientEnd, ClientRun } from './drive/client-run.ts';
import type { ClientSubject } from './drive/client-subject.ts';
import { type LaunchPad, openLaunchPad } from './launch/launch-pad.ts';
import type { Launch } from './launch/launch.ts';
import { openPlayedServer, type PlayedAnswer, type PlayedServer, type SeenRequest } from './launch/played-server.ts';
import { PlayedTurn } from './played-turn.ts';

/** How long the start of an agent may still be reported after its client has ended, in milliseconds. */
const lateLaunch = 500;

/** How long an agent waits between the last update of a turn and its answer, in milliseconds. */
const settling = 100;

/** How a client is judged. */
export interface ClientCheckSettings {
  /**
   * In milliseconds: how long the client may take to start its agent (`start`), to answer a request of its agent (`answer`), to do
   * its task (`end`), and to end when it is interrupted (`leave`).
   */
  readonly patience: { readonly start: number; readonly answer: number; readonly end: number; readonly leave: number };
  /** The seed of random scenarios. */
  readonly seed: number;
}

/** What the agent does in a turn. The result of the turn is what this resolves with, else `end_turn`; `null` leaves it unanswered. */
export type TurnScript = (turn: PlayedTurn) => Promise<RawMessage | null | void> | RawMessage | null | void;

export interface Done {
  readonly agent: PlayedAgent;
  readonly end: ClientEnd;
}

export type Values = Readonly<Record<string, string>>;

/** Something a client is put through, to see whether it keeps what it must. */
export type ClientScenario = Scenario<ClientStage>;

/** What a scenario does. */
export type ClientScript = Script<ClientStage>;

/** What scenarios do, by their ids: `scenarios.json` says what they are. */
export type ClientScripts = Scripts<ClientStage>;

/**
 * What a scenario for clients works with. It says how the agent behaves, has the client do something, and looks at what went over the
 * wire, what the client printed and how it ended:
 *
 * ```ts
 * stage.play((agent) => agent.offer(fullAgent)); // before the client starts; runs for every agent it starts
 * const { agent, end } = await stage.turn(async (turn) => {
 *   const reply = await turn.ask('fs/read_text_file', { path }); // inside the turn
 *   stage.see.check('R214', reply.error?.code !== -32_002 && 'it was answered otherwise', reply);
 * });
 * ```
 *
 * `turn` is for what happens inside a turn; `perform` for anything else a client can be made to do (`load`, `list`, …), with
 * `agent.handle(method, …)` for what is answered; `start`, `launched` and `ended` for what must be seen step by step. A client that lacks
 * an action, or never gets to the point, stops the scenario, and the rest stays unseen.
 */
export class ClientStage {
  readonly see: Observer = new Observer();
  /** The folder the client works in: empty, without symbolic links in its path. Files may be put in it, and next to it. */
  readonly folder: string;
  readonly settings: ClientCheckSettings;
  readonly habits: ClientHabits;
  readonly #subject: ClientSubject;
  readonly #sandbox: string;
  /** Every agent the client has started so far. */
  readonly agents: PlayedAgent[] = [];
  readonly #runs: ClientRun[] = [];
  readonly #scripts: ((agent: PlayedAgent) => void)[] = [];
  #pad: LaunchPad | undefined;
  #server: PlayedServer | undefined;
  /** Has some requests of the client answered otherwise than a server should. */
  answerOddly: (request: SeenRequest) => PlayedAnswer | undefined = () => undefined;
  #changed: () => void = () => undefined;
  /** Whether the client was done before it started its agent. */
  #isDone = false;
  readonly #failure: Promise<never>;
  #fail: (error: unknown) => void = () => undefined;

  /** @param place `sandbox` holds the folders `project` and `home`, and takes the launcher */
  constructor(
    subject: ClientSubject,
    place: {
      readonly sandbox: string;
      readonly settings: ClientCheckSettings;
      readonly habits?: ClientHabits | undefined;
    },
  ) {
    const { sandbox, settings, habits = usualHabits } = place;
    this.#subject = subject;
    this.#sandbox = sandbox;
    this.folder = join(sandbox, 'project');
    this.settings = settings;
    this.habits = habits;
    this.#failure = new Promise((_, reject) => (this.#fail = reject));
    this.#failure.catch(() => undefined);
  }

  /** Every connection that was opened, each with all that went over it. */
  get journals(): readonly (readonly JournalEntry[])[] {
    return this.agents.map(({ journal }) => journal);
  }

  /** Every request of a client that reaches its agent by a URL. */
  get requests(): readonly SeenRequest[] {
    return this.#server?.requests ?? [];
  }

  /** A folder beside {@link folder}, or a file in one. */
  beside(...names: readonly string[]): string {
    return join(this.#sandbox, ...names);
  }

  can(action: ClientAction): boolean {
    return this.#subject.can(action);
  }

  /** Whether a user types while the client is working: its questions may then wait for them. */
  isTyped(action: ClientAction): boolean {
    return this.#subject.isTyped?.(action) === true;
  }

  /** Says how agents behave that are started from now on. Without, they offer nothing and answer everything. */
  play(script: (agent: PlayedAgent) => void): void {
    this.#scripts.push(script);
  }

  /** Has the client do something. Stops the scenario if it cannot be made to. */
  async start(action: ClientAction, values: Values = {}): Promise<ClientRun> {
    if (!this.can(action)) throw new Stopped(`a driver would have to say how the client does “${action}”`);
    const { path } = await this.#opened();
    const known = { agent: path, bin: this.beside('agent'), cwd: this.folder, prompt: 'Say something.' };
    const order = { action, values: { ...known, ...values }, home: this.beside('home') };
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

  /** The first agent the client starts, or a later one. Stops the scenario if it does not come. */
  async launched(place = 0): Promise<PlayedAgent> {
    await this.#until(() => this.agents.length > place || this.#isDone, this.settings.patience.start);
    const agent = this.agents[place];
    if (agent === undefined)
      throw new Stopped(
        `the client did not start its agent${place > 0 ? ' again' : ''}${lastWords(this.#runs.at(-1)?.stderr())}`,
      );
    return agent;
  }

  /** How a client ends: by itself, or when it is interrupted, or with force. Never rejects. */
  async ended(run: ClientRun, milliseconds: number = this.settings.patience.end): Promise<ClientEnd> {
    const how = await this.#ending(run, milliseconds);
    return { how, exit: await run.exited, pids: run.pids(), stdout: run.stdout(), stderr: run.stderr() };
  }

  async perform(action: ClientAction, values: Values = {}): Promise<Done> {
    const run = await this.start(action, values);
    const agent = await this.launched();
    return { agent, end: await this.orFailure(this.ended(run)) };
  }

  /** Says what agents do in a turn. */
  onPrompt(script: TurnScript): void {
    this.play((agent) =>
      agent.handle('session/prompt', async (params, { id }) => {
        const result = await script(new PlayedTurn(agent, params, id));
        return result === null ? undefined : (result ?? { stopReason: 'end_turn' });
      }),
    );
  }

  /** Has the client begin a turn, and resolves when it sent its prompt. Stops the scenario if it sends none. */
  async begin(action: ClientAction): Promise<{ readonly run: ClientRun; readonly agent: PlayedAgent }> {
    const run = await this.start(action);
    const agent = await this.launched();
    if ((await agent.call('session/prompt', this.settings.patience.end)) === undefined)
      throw new Stopped('the client sent no prompt');
    return { run, agent };
  }

  /** What is waited for; stops the scenario as soon as what an agent does there stops. */
  orFailure<Value>(wanted: Promise<Value>): Promise<Value> {
    return Promise.race([wanted, this.#failure]);
  }

  /** Has the client send a prompt, and the agent do something in that turn. Stops the scenario if no prompt comes. */
  async turn(script: TurnScript, options: TurnOptions = {}): Promise<Done> {
    const { needs = [], hasWarnedBefore = false, values = {} } = options;
    const { action = needs.length > 0 && this.can('allow') ? 'allow' : 'prompt' } = options;
    this.#expectPossible(action, needs);
    this.onPrompt(async (turn) => {
      const missing = needs.find((path) => !turn.agent.clientOffers(path));
      if (missing !== undefined) throw new Stopped(notOffered(missing));
      const result = await script(turn);
      // A client whose answers overtake updates is found by updates/before-the-answer (R369), and by no other scenario now and then.
      if (result !== null) await turn.agent.quiet(settling);
      return result;
    });
    const done = await this.perform(action, values);
    if (!hasWarnedBefore && !this.agents.some((agent) => agent.calls('session/prompt').length > 0))
      throw new Stopped(`the client sent no prompt: ${howItEnded(done.end)}`);
    return done;
  }

  async close(): Promise<void> {
    await Promise.all(this.#runs.map((run) => run.kill()));
    await Promise.all(this.agents.map((agent) => agent.close()));
    await this.#pad?.[Symbol.asyncDispose]();
  }

  /** Stops the scenario if the client does not offer what it cannot be made to do: to be made to would be of no use to it. */
  #expectPossible(action: ClientAction, needs: readonly string[]): void {
    const { capabilities } = this.habits;
    if (this.can(action) || capabilities === undefined) return;
    const lacking = needs.find((path) => !isOffered(capabilities, path));
    if (lacking !== undefined) throw new Stopped(notOffered(lacking));
  }

  async #opened(): Promise<LaunchPad> {
    const { poses: names = [] } = this.#subject;
    const onLaunch = (launch: Launch): void => this.#meet(launch);
    const { over: profile } = this.#subject;
    if (profile !== undefined && this.#server === undefined) {
      this.#server = await openPlayedServer(profile, onLaunch, (request) => this.answerOddly(request));
      this.#pad = this.#server;
    }
    return (this.#pad ??= await openLaunchPad(this.beside('agent'), names, onLaunch));
  }

  #meet(launch: Launch): void {
    const line = this.#subject.tampered?.(launch.line) ?? launch.line;
    const { answer: patience } = this.settings.patience;
    const agent = new PlayedAgent({ ...launch, line }, patience, this.#fail);
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
    // Twice, as people do: at first it may want to end in good order.
    for (const share of [0.25, 0.75]) {
      run.interrupt();
      if (await isOver(run, share * this.settings.patience.leave)) return 'interrupted';
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
   * What the client must offer for it, by paths such as `fs.readTextFile`: else the scenario stops. Whatever the agent asks for is allowed then
   * by default, if that can be said.
   */
  readonly needs?: readonly string[];
  /** Whether it is warning of the scenario’s making that may keep the prompt back: then none does not stop it. */
  readonly hasWarnedBefore?: boolean;
}

/** What a scenario does that is a turn: it is begun like this, and the agent does something in it. */
export function inTurn(
  options: TurnOptions,
  script: (turn: PlayedTurn, stage: ClientStage) => ReturnType<TurnScript>,
): (stage: ClientStage) => Promise<void> {
  return async (stage) => void (await stage.turn((turn) => script(turn, stage), options));
}

function notOffered(path: string): string {
  return `the client does not offer ${path}`;
}

async function isOver(run: ClientRun, milliseconds: number): Promise<boolean> {
  return (await within(milliseconds, run.exited)) !== undefined;
}

/** Stops a scenario in which a client did not do its task. */
export function didNot(what: string, end: ClientEnd): Stopped {
  return new Stopped(`the client ${what}: ${howItEnded(end)}`);
}

/** The end of a client as a sentence has it. */
export function howItEnded({ how, exit, stderr }: ClientEnd): string {
  const with_ = exit.signal === null ? `exit code ${String(exit.code)}` : exit.signal;
  return `it ended ${how} with ${with_}${lastWords(stderr)}`;
}

function lastWords(stderr = ''): string {
  const words = stderr.trim().split('\n').at(-1) ?? '';
  return words === '' ? '' : `; the last it printed on stderr is: ${words.slice(0, 300)}`;
}
