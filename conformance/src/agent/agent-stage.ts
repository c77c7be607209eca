import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { within } from '@turnwire/machine/waits';
import type { RemoteEndpoint } from '../remote/endpoint.ts';
import { Observer } from '../verdict/observer.ts';
import { Stopped } from '../wire/stopped.ts';
import type { JournalEntry, RawMessage } from '../wire/journal.ts';
import { asMessage, type Reply } from '../wire/messages.ts';
import { Wire } from '../wire/wire.ts';
import type { AgentSubject } from './agent-subject.ts';
import { failureOf, isRefusal, loginFirst } from './failed-turn.ts';
import { type Host, playHost } from './host/play-host.ts';
import { RunningTurn } from './running-turn.ts';
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

/** The same, with results of other scenarios. */
export interface StageSettings extends AgentCheckSettings {
  /** How turns end. Default: unknown. */
  readonly turns?: TurnPatience;
  /** Whether the agent gets a home of the scenario's own. Default: it is at home where it always is. */
  readonly isAtOwnHome?: boolean;
}

/** The agent's description of itself. */
export interface Initialized {
  readonly reply: Reply;
  readonly result: RawMessage;
  readonly capabilities: RawMessage;
}

/** The end of a turn. */
export interface TurnEnd {
  readonly reply: Reply;
  readonly stopReason: unknown;
  /** The turn's range in the journal: from the prompt to the answer. */
  readonly entries: readonly JournalEntry[];
}

/** The context of a scenario: an agent to talk to, a folder, and a recorder of observations. */
export class AgentStage {
  readonly see: Observer = new Observer();
  /** An empty folder of this scenario, without symbolic links in its path. Sessions work here. */
  readonly folder: string;
  readonly settings: AgentCheckSettings;
  readonly #subject: AgentSubject;
  readonly #client: RawMessage;
  readonly #turns: TurnPatience;
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
    this.#turns = settings.turns ?? new TurnPatience(settings.patience.turn);
  }

  /** How long to wait for what programs are started for, in milliseconds: some take long on a busy machine, which is not a fault. */
  get startPatience(): number {
    return Math.max(this.settings.patience.turn, longestStart);
  }

  /** How long to wait for events in a turn, in milliseconds: less once it is known that turns do not end. */
  get turnPatience(): number {
    return this.#turns.milliseconds;
  }

  /** Where the agent is reached. The scenario stops if it is a process. */
  get endpoint(): RemoteEndpoint {
    const { endpoint } = this.#subject;
    if (endpoint === undefined) throw new Stopped('the agent is not reached over a network');
    return endpoint;
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

  /** The simulated client of a connection. */
  hostOf(wire: Wire): Host {
    const host = this.#hosts.get(wire);
    if (host === undefined) throw new Error('the connection was not opened here');
    return host;
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
      throw new Stopped(`initialize was refused: ${errorOf(reply)}`, { requirement: 'R034', evidence: [reply.entry] });
    return { reply, result, capabilities: asMessage(result['agentCapabilities']) ?? {} };
  }

  /** A started, initialized and, if requested, logged-in agent. */
  async ready(changes: RawMessage = {}): Promise<{ readonly wire: Wire; readonly initialized: Initialized }> {
    const wire = await this.open();
    const initialized = await this.initialize(wire, changes);
    if (this.settings.authMethod !== undefined) await this.#logIn(wire, this.settings.authMethod);
    return { wire, initialized };
  }

  /** Begins a session in the folder of the scenario. */
  async newSession(
    wire: Wire,
    changes: RawMessage = {},
  ): Promise<{ readonly id: string; readonly reply: Reply; readonly result: RawMessage }> {
    const reply = await wire.ask(
      'session/new',
      { cwd: this.folder, mcpServers: [], ...changes },
      { within: this.startPatience },
    );
    const result = asMessage(reply.result);
    const id = result?.['sessionId'];
    if (reply.error?.code === -32_000) throw new Stopped(loginFirst);
    // An agent that lacks a model or a setting has its own errors for that; "method not found" is not one of them.
    if (reply.error !== undefined && !isRefusal(reply.error))
      throw new Stopped(`session/new failed: ${errorOf(reply)}`);
    if (result === undefined || typeof id !== 'string')
      throw new Stopped(`session/new was refused: ${errorOf(reply)}`, { requirement: 'R048', evidence: [reply.entry] });
    return { id, reply, result };
  }

  /** Sends a prompt and waits for the end of its turn. A turn that fails or does not end is not a fault here: the scenario stops. */
  async prompt(wire: Wire, sessionId: string, prompt: string | readonly RawMessage[]): Promise<TurnEnd> {
    const turn = this.begin(wire, sessionId, prompt);
    const reply = await turn.end();
    if (reply.error !== undefined) throw new Stopped(failureOf(reply.error));
    return { reply, stopReason: asMessage(reply.result)?.['stopReason'], entries: turn.entries };
  }

  /** Sends a prompt, and does not wait for the end of its turn. */
  begin(wire: Wire, sessionId: string, prompt: string | readonly RawMessage[]): RunningTurn {
    return new RunningTurn(wire, { sessionId, prompt, turns: this.#turns });
  }

  /**
   * Sends `session/prompt` with these parameters and waits for the end of the turn, successful or not. The scenario stops if it does not
   * end.
   */
  askPrompt(wire: Wire, params: RawMessage): Promise<Reply> {
    return this.#turns.ask(wire, params);
  }

  /** The prompt that makes the agent do something. The scenario stops if there is none. */
  steer(action: Action, values: Readonly<Record<string, string>>): string {
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

  async close(): Promise<void> {
    await Promise.all([...this.#hosts].flatMap(([wire, host]) => [wire.close(), host.close()]));
  }

  async #logIn(wire: Wire, methodId: string): Promise<void> {
    const reply = await wire.ask('authenticate', { methodId }, { within: this.settings.patience.turn });
    if (reply.error !== undefined) throw new Stopped(`the login ${methodId} failed: ${errorOf(reply)}`);
  }
}

/** The text of an error. */
function errorOf({ error }: Reply): string {
  return error === undefined ? 'there is no result' : `${String(error.message)} (${String(error.code)})`;
}
