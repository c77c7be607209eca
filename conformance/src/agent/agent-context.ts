import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { within } from '@turnwire/machine/waits';
import type { RemoteEndpoint } from '../remote/endpoint.ts';
import type { CheckedVersion } from '../requirements/requirement.ts';
import type { Script, Scripts, Scenario } from '../judge/scenario.ts';
import { Observer } from '../verdict/observer.ts';
import { asMessage, type JournalEntry, type RawMessage, type Reply } from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';
import { Wire } from '../wire/wire.ts';
import type { AgentSubject } from './agent-subject.ts';
import { MethodTimeouts } from '../wire/method-timeouts.ts';
import { textOfError } from './failed-turn.ts';
import { introductionIn } from './host/client-offer.ts';
import { type Host, simulateHost } from './host/simulate-host.ts';
import { type Initialized, ReadyAgent, type Session, type SessionContext } from './session.ts';
import { type Action, promptFor, type Steering } from './steering.ts';
import { TurnTimeout } from '../wire/turn-timeout.ts';

/** Upper bound for a start with short turn timeouts, in milliseconds. */
const longestStart = 30_000;

/** How long a process may take to exit after it closed its stdout, in milliseconds. */
const longestEnd = 1_000;

/** Options for judging an agent. */
export interface AgentCheckSettings {
  readonly steering: Steering;
  /** The login to use if the agent requires one. */
  readonly authMethod?: string | undefined;
  /** Timeouts in milliseconds: for an answer, and for a whole turn. */
  readonly timeouts: { readonly answer: number; readonly turn: number };
  /** The seed of random scenarios. */
  readonly seed: number;
  /** The version of the protocol. Default 1. */
  readonly version?: CheckedVersion | undefined;
}

/** How long programs may take to start, in milliseconds: the timeout of a turn, at least 30 seconds. */
export function startTimeout({ turn }: AgentCheckSettings['timeouts']): number {
  return Math.max(turn, longestStart);
}

/** How long a cancelled turn may take to end, in milliseconds: as long as an answer. */
export function cancelTimeout({ answer, turn }: AgentCheckSettings['timeouts']): number {
  return Math.min(turn, answer);
}

/** The options of a check, with what other scenarios learned about this agent. */
export interface AgentContextSettings extends AgentCheckSettings {
  /** How turns end. Default: unknown. */
  readonly turns?: TurnTimeout | undefined;
  /** How cancelled turns end. Default: unknown. */
  readonly cancels?: TurnTimeout | undefined;
  /** How other requests are answered, by method. Default: unknown. */
  readonly answers?: MethodTimeouts | undefined;
  /** Whether the agent gets an empty home folder for this scenario. Default: it uses the home of its environment. */
  readonly isAtOwnHome?: boolean;
}

/** A test of an agent for one or more requirements. */
export interface AgentScenario extends Scenario<AgentContext> {
  /** Client capabilities, in the form of version 1. Default: everything that a client can offer. */
  readonly client?: RawMessage;
}

/** The code of a scenario. */
export type AgentScript = Script<AgentContext>;

/** The code of scenarios by id; `scenarios.json` describes them. */
export type AgentScripts = Scripts<AgentContext>;

/** The context of a scenario: an agent to talk to, a folder, and a recorder of observations. */
export class AgentContext implements SessionContext {
  readonly see: Observer;
  /** An empty folder for this scenario, without symbolic links in its path. Sessions work here. */
  readonly folder: string;
  readonly settings: AgentCheckSettings;
  readonly #subject: AgentSubject;
  readonly #client: RawMessage;
  readonly turns: TurnTimeout;
  readonly starts: TurnTimeout;
  readonly cancels: TurnTimeout;
  readonly #answers: MethodTimeouts;
  /** Whether agents that are started from now on get an empty home folder, the same for all of the scenario. */
  isAtOwnHome: boolean;
  readonly #hosts = new Map<Wire, Host>();

  constructor(
    subject: AgentSubject,
    {
      client,
      folder,
      settings,
    }: { readonly client: RawMessage; readonly folder: string; readonly settings: AgentContextSettings },
  ) {
    this.#subject = subject;
    this.#client = client;
    this.folder = folder;
    this.settings = settings;
    this.see = new Observer(settings.version);
    this.isAtOwnHome = settings.isAtOwnHome ?? false;
    this.turns = settings.turns ?? new TurnTimeout(settings.timeouts.turn);
    this.cancels = settings.cancels ?? new TurnTimeout(cancelTimeout(settings.timeouts));
    const { answer } = settings.timeouts;
    this.#answers = settings.answers ?? new MethodTimeouts({ answer, start: this.startTimeout });
    this.starts = this.#answers.starts;
  }

  /** The version of the protocol in which the agent is judged. */
  get version(): CheckedVersion {
    return this.settings.version ?? 1;
  }

  /** Timeout in milliseconds for calls that start programs: some are slow on a busy machine, which is not a fault. */
  get startTimeout(): number {
    return startTimeout(this.settings.timeouts);
  }

  /** Timeout in milliseconds for events in a turn. It shrinks once turns are known not to end. */
  get turnTimeout(): number {
    return this.turns.milliseconds;
  }

  /** The network address of the agent. Stops the scenario if the agent is a local process. */
  get endpoint(): RemoteEndpoint {
    const { endpoint } = this.#subject;
    if (endpoint === undefined) throw new Stopped('the agent is not reached over a network');
    return endpoint;
  }

  get isRemote(): boolean {
    return this.#subject.endpoint !== undefined;
  }

  /** The frames of each connection that was opened, up to the moment we hung up. */
  get journals(): readonly (readonly JournalEntry[])[] {
    return [...this.#hosts.keys()].map(({ talk }) => talk);
  }

  /** Starts another instance of the agent and simulates the host that the client offers. Scenarios may replace its answers. */
  async open(): Promise<Wire> {
    const cwd = join(this.folder, '..', 'started-here');
    await mkdir(cwd, { recursive: true });
    const home = this.isAtOwnHome ? join(this.folder, '..', 'home') : undefined;
    if (home !== undefined) await mkdir(join(home, 'run'), { recursive: true, mode: 0o700 });
    const line = await this.#subject.open({ cwd, home });
    const wire = new Wire(line, { plays: 'client', timeout: this.#answers });
    this.#hosts.set(wire, simulateHost(wire, { capabilities: this.#client, folder: this.folder }));
    return wire;
  }

  /**
   * Sends `initialize` and expects it to succeed.
   * @param changes changes to the parameters; `clientCapabilities` are those of version 1
   */
  async initialize(wire: Wire, changes: RawMessage = {}): Promise<Initialized> {
    const { clientCapabilities, ...others } = { clientCapabilities: this.#client, ...changes };
    const params = { ...introductionIn(this.version, clientCapabilities), ...others };
    // The first answer includes the agent's start, which may take long.
    const reply = await wire.ask('initialize', params, { within: this.startTimeout });
    const result = asMessage(reply.result);
    if (result === undefined)
      throw new Stopped(`initialize was refused: ${textOfError(reply)}`, {
        requirement: 'R034',
        evidence: [reply.entry],
      });
    const capabilities = result[this.version === 1 ? 'agentCapabilities' : 'capabilities'];
    return { reply, result, capabilities: asMessage(capabilities) ?? {} };
  }

  /** Starts and initializes an agent, and logs in if a login was requested. */
  async ready(changes: RawMessage = {}): Promise<ReadyAgent> {
    const wire = await this.open();
    const initialized = await this.initialize(wire, changes);
    if (this.settings.authMethod !== undefined) await this.logIn(wire);
    return new ReadyAgent(this, { wire, host: this.#hosts.get(wire) as Host, initialized });
  }

  /** Uses the login of the settings. Stops the scenario if it fails. */
  async logIn(wire: Wire): Promise<Reply> {
    const { authMethod: methodId, timeouts } = this.settings;
    const method = this.version === 1 ? 'authenticate' : 'auth/login';
    const reply = await wire.ask(method, { methodId }, { within: timeouts.turn });
    if (reply.error !== undefined) throw new Stopped(`the login ${String(methodId)} failed: ${textOfError(reply)}`);
    return reply;
  }

  /** Opens a session in the folder of the scenario, with an agent that is ready. */
  async session(changes: RawMessage = {}): Promise<Session> {
    this.starts.refuseSilent('session/new');
    return (await this.ready()).session(changes);
  }

  /** The prompt that makes the agent perform an action. Stops the scenario if no prompt is known. */
  steer(action: Action, values: Readonly<Record<string, string>> = {}): string {
    const prompt = promptFor(this.settings.steering, action, values);
    if (prompt === undefined)
      throw new Stopped(`no prompt is known that makes the agent ${action}: set one with --prompts`);
    return prompt;
  }

  /** Judges whether every process lived until we hung up. One that exited with code 0 and had no open requests is not blamed. */
  async judgeLives(): Promise<void> {
    for (const wire of this.#hosts.keys()) {
      const { process } = wire.line;
      if (process === undefined || this.see.knows('R368')) continue;
      if (!wire.leftFirst) this.see.held('R368');
      else {
        const exit = await within(longestEnd, process.exited);
        if (exit === undefined || (exit.code === 0 && exit.signal === null)) continue;
        const how = exit.signal === null ? `with exit code ${String(exit.code)}` : `by ${exit.signal}`;
        this.see.broken('R368', `the agent ended ${how} while its client was connected`, wire.talk.slice(-2));
      }
    }
  }

  /** A path in the folder of the scenario, or next to it with `..`. */
  path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }

  /** Writes a file to the folder of the scenario and creates missing parent folders. Resolves with its path. */
  async file(name: string, text: string): Promise<string> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), text);
    return this.path(name);
  }

  /** The text of a file in the folder of the scenario; undefined if the file does not exist. */
  textOf(name: string): Promise<string | undefined> {
    return readFile(this.path(name), 'utf8').catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#hosts].flatMap(([wire, host]) => [wire.close(), host.close()]));
  }
}

/** A script that runs in a new session with default parameters. */
export function inSession(
  script: (session: Session, context: AgentContext) => Promise<void>,
): (context: AgentContext) => Promise<void> {
  return async (context) => script(await context.session(), context);
}

/** A script for a ready agent. It stops if the agent does not advertise all of `offers`. */
export function withAgent(
  offers: readonly string[],
  script: (agent: ReadyAgent, context: AgentContext) => Promise<void>,
): AgentScript {
  return async (context) => {
    const agent = await context.ready();
    agent.expectOffered(...offers);
    await script(agent, context);
  };
}
