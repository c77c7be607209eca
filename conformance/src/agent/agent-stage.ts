import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { within } from '@turnwire/machine/waits';
import type { RemoteEndpoint } from '../remote/endpoint.ts';
import type { Script, Scripts, Scenario } from '../judge/scenario.ts';
import { Observer } from '../verdict/observer.ts';
import { asMessage, type JournalEntry, type RawMessage } from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';
import { Wire } from '../wire/wire.ts';
import type { AgentSubject } from './agent-subject.ts';
import { textOfError } from './failed-turn.ts';
import { type Host, playHost } from './host/play-host.ts';
import { type Initialized, ReadyAgent, type Session, type SessionStage } from './session.ts';
import { type Action, promptFor, type Steering } from './steering.ts';
import { TurnPatience } from './turn-patience.ts';

/** How long a start may take, even if turns are short: in milliseconds. */
const longestStart = 30_000;

/** How long a process may take to end after its stdout was closed, in milliseconds. */
const longestEnd = 1_000;

/** Options of judging an agent. */
export interface AgentCheckSettings {
  readonly steering: Steering;
  /** The login to use if the agent requires one. */
  readonly authMethod?: string | undefined;
  /** How long to wait for an answer, and for the end of a turn: in milliseconds. */
  readonly patience: { readonly answer: number; readonly turn: number };
  /** The seed of random scenarios. */
  readonly seed: number;
}

/** How long programs may take to start, in milliseconds. */
export function startPatience({ turn }: AgentCheckSettings['patience']): number {
  return Math.max(turn, longestStart);
}

/** The same, with results of other scenarios. */
export interface StageSettings extends AgentCheckSettings {
  /** How turns end, and how sessions begin. Default: unknown. */
  readonly turns?: TurnPatience | undefined;
  readonly starts?: TurnPatience | undefined;
  /** Whether the agent gets a home of the scenario's own. Default: it is at home where it always is. */
  readonly isAtOwnHome?: boolean;
}

/** A test of an agent for one or more requirements. */
export interface AgentScenario extends Scenario<AgentStage> {
  /** The capabilities of the client. Default: all that a client can offer. */
  readonly client?: RawMessage;
}

/** What a scenario does. */
export type AgentScript = Script<AgentStage>;

/** What scenarios do, by their ids: `scenarios.json` says what they are. */
export type AgentScripts = Scripts<AgentStage>;

/** The context of a scenario: an agent to talk to, a folder, and a recorder of observations. */
export class AgentStage implements SessionStage {
  readonly see: Observer = new Observer();
  /** An empty folder of this scenario, without symbolic links in its path. Sessions work here. */
  readonly folder: string;
  readonly settings: AgentCheckSettings;
  readonly #subject: AgentSubject;
  readonly #client: RawMessage;
  readonly turns: TurnPatience;
  readonly starts: TurnPatience;
  readonly #isAtOwnHome: boolean;
  readonly #hosts = new Map<Wire, Host>();

  constructor(
    subject: AgentSubject,
    {
      client,
      folder,
      settings,
    }: { readonly client: RawMessage; readonly folder: string; readonly settings: StageSettings },
  ) {
    this.#subject = subject;
    this.#client = client;
    this.folder = folder;
    this.settings = settings;
    this.#isAtOwnHome = settings.isAtOwnHome ?? false;
    this.turns = settings.turns ?? new TurnPatience(settings.patience.turn);
    this.starts = settings.starts ?? new TurnPatience(this.startPatience);
  }

  /** How long to wait for what programs are started for, in milliseconds: some take long on a busy machine, which is not a fault. */
  get startPatience(): number {
    return startPatience(this.settings.patience);
  }

  /** How long to wait for events in a turn, in milliseconds: less once it is known that turns do not end. */
  get turnPatience(): number {
    return this.turns.milliseconds;
  }

  /** Where the agent is reached. The scenario stops if it is a process. */
  get endpoint(): RemoteEndpoint {
    const { endpoint } = this.#subject;
    if (endpoint === undefined) throw new Stopped('the agent is not reached over a network');
    return endpoint;
  }

  get isRemote(): boolean {
    return this.#subject.endpoint !== undefined;
  }

  /** Every connection that was opened, each with its frames until we hung up. */
  get journals(): readonly (readonly JournalEntry[])[] {
    return [...this.#hosts.keys()].map(({ talk }) => talk);
  }

  /** Starts another instance of the agent. The host that its client offers is simulated; scenarios may replace its answers. */
  async open(): Promise<Wire> {
    const place = join(this.folder, '..', 'started-here');
    await mkdir(place, { recursive: true });
    const home = this.#isAtOwnHome ? join(this.folder, '..', 'home') : undefined;
    if (home !== undefined) await mkdir(join(home, 'run'), { recursive: true, mode: 0o700 });
    const line = await this.#subject.open({ cwd: place, home });
    const wire = new Wire(line, { plays: 'client', patience: this.settings.patience.answer });
    this.#hosts.set(wire, playHost(wire, { capabilities: this.#client, folder: this.folder }));
    return wire;
  }

  /** Sends `initialize` and expects it to succeed. */
  async initialize(wire: Wire, changes: RawMessage = {}): Promise<Initialized> {
    const params = {
      protocolVersion: 1,
      clientCapabilities: this.#client,
      clientInfo: { name: 'turnwire-check', title: 'Turnwire check', version: '0.1.0' },
      ...changes,
    };
    // The first answer comes after the agent's start, which may take long.
    const reply = await wire.ask('initialize', params, { within: this.startPatience });
    const result = asMessage(reply.result);
    if (result === undefined)
      throw new Stopped(`initialize was refused: ${textOfError(reply)}`, {
        requirement: 'R034',
        evidence: [reply.entry],
      });
    return { reply, result, capabilities: asMessage(result['agentCapabilities']) ?? {} };
  }

  /** A started, initialized and, if requested, logged-in agent. */
  async ready(changes: RawMessage = {}): Promise<ReadyAgent> {
    const wire = await this.open();
    const initialized = await this.initialize(wire, changes);
    const { authMethod: methodId, patience } = this.settings;
    if (methodId !== undefined) {
      const reply = await wire.ask('authenticate', { methodId }, { within: patience.turn });
      if (reply.error !== undefined) throw new Stopped(`the login ${methodId} failed: ${textOfError(reply)}`);
    }
    return new ReadyAgent(this, { wire, host: this.#hosts.get(wire) as Host, initialized });
  }

  /** A session of such an agent in the folder of the scenario. */
  async session(changes: RawMessage = {}): Promise<Session> {
    return (await this.ready()).session(changes);
  }

  /** The prompt that makes the agent do something. The scenario stops if there is none. */
  steer(action: Action, values: Readonly<Record<string, string>> = {}): string {
    const prompt = promptFor(this.settings.steering, action, values);
    if (prompt === undefined) throw new Stopped(`no prompt makes the agent ${action}: name one with --prompts`);
    return prompt;
  }

  /** Judges whether every process lived until we hung up. One that ended in good order while it owed nothing is not blamed. */
  async judgeLives(): Promise<void> {
    for (const wire of this.#hosts.keys()) {
      const { process } = wire.line;
      if (process === undefined || this.see.knows('R368')) continue;
      if (!wire.wasLeft) this.see.held('R368');
      else {
        const exit = await within(longestEnd, process.exited);
        if (exit === undefined || (exit.code === 0 && exit.signal === null)) continue;
        const how = exit.signal === null ? `with exit code ${String(exit.code)}` : `of ${exit.signal}`;
        this.see.broken('R368', `the agent ended ${how} while its client was connected`, wire.talk.slice(-2));
      }
    }
  }

  /** A path in the folder of the scenario, or beside it with `..`. */
  path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }

  /** Writes a file to that folder, and the folders that it needs. Resolves with its path. */
  async file(name: string, text: string): Promise<string> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), text);
    return this.path(name);
  }

  /** The text of a file there; undefined if there is none. */
  textOf(name: string): Promise<string | undefined> {
    return readFile(this.path(name), 'utf8').catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#hosts].flatMap(([wire, host]) => [wire.close(), host.close()]));
  }
}

/** What a scenario does in a session that begins as usual. */
export function inSession(
  script: (session: Session, stage: AgentStage) => Promise<void>,
): (stage: AgentStage) => Promise<void> {
  return async (stage) => script(await stage.session(), stage);
}

/** What a scenario does with an agent that is ready; it stops if the agent does not advertise all of these. */
export function withAgent(
  offers: readonly string[],
  script: (agent: ReadyAgent, stage: AgentStage) => Promise<void>,
): AgentScript {
  return async (stage) => {
    const agent = await stage.ready();
    agent.expectOffered(...offers);
    await script(agent, stage);
  };
}
