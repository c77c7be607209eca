import { asMessage, at, isOffered, type JournalEntry, type RawMessage, type Reply } from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';
import type { RequestAnswer, Wire } from '../wire/wire.ts';
import { failureOf, isRefusal, loginFirst, refusalWords, textOfError } from './failed-turn.ts';
import { Frames, framesOf } from './frames.ts';
import type { Host } from './host/play-host.ts';
import { RunningTurn } from './running-turn.ts';
import type { Action } from './steering.ts';
import type { TurnPatience } from './turn-patience.ts';

/** What sessions need of their scenario. */
export interface SessionStage {
  readonly folder: string;
  /** Whether the agent is reached over a network: it may refuse folders of this machine. */
  readonly isRemote: boolean;
  readonly turns: TurnPatience;
  readonly starts: TurnPatience;
  steer(action: Action, values: Readonly<Record<string, string>>): string;
  /** Another instance of the agent. */
  ready(): Promise<ReadyAgent>;
}

export interface Initialized {
  readonly reply: Reply;
  readonly result: RawMessage;
  readonly capabilities: RawMessage;
}

export interface BroughtBack {
  readonly session: Session;
  readonly reply: Reply;
  /** The request, and whatever came until its answer. */
  readonly before: Frames;
}

/** An agent that is started, initialized and, if requested, logged in. */
export class ReadyAgent extends Frames {
  readonly stage: SessionStage;
  readonly wire: Wire;
  /** The client that is simulated for it. */
  readonly host: Host;
  readonly initialized: Initialized;

  constructor(stage: SessionStage, { wire, host, initialized }: Pick<ReadyAgent, 'wire' | 'host' | 'initialized'>) {
    super(() => wire.journal);
    this.stage = stage;
    this.wire = wire;
    this.host = host;
    this.initialized = initialized;
  }

  /** Whether it advertises something: true, or an object, at a path of its capabilities such as `sessionCapabilities.list`. */
  offers(path: string): boolean {
    return isOffered(this.initialized.capabilities, path);
  }

  expectOffered(...paths: readonly string[]): void {
    for (const path of paths) if (!this.offers(path)) throw new Stopped(`${path} is not advertised`);
  }

  /** The ways to open a session again that it advertises. The scenario stops if there are none. */
  waysBack(): readonly Way[] {
    const ways = back.filter(([, offer]) => this.offers(offer)).map(([way]) => way);
    if (ways.length === 0) throw new Stopped('neither loadSession nor sessionCapabilities.resume is advertised');
    return ways;
  }

  askForSession(changes: RawMessage = {}): Promise<Reply> {
    const params = { cwd: this.stage.folder, mcpServers: [], ...changes };
    return this.stage.starts.start(this.wire, 'session/new', params);
  }

  /** Begins a session in the folder of the scenario, which no agent refuses. */
  async session(changes: RawMessage = {}): Promise<Session> {
    const reply = await this.askForSession(changes);
    return new Session(this, begunSession(reply, this.stage), reply);
  }

  /** Begins a session with something an agent may refuse: then the scenario stops, and nothing is held against it. */
  async trySession(changes: RawMessage): Promise<Session> {
    const reply = await this.askForSession(changes);
    if (reply.error?.code === -32_000) throw new Stopped(loginFirst);
    const id = at(reply.result, 'sessionId');
    if (typeof id === 'string') return new Session(this, id, reply);
    const why = reply.error === undefined ? 'there is no session id' : refusalWords(reply.error);
    throw new Stopped(`${['a session', ...Object.keys(changes)].join(' with ')} was refused: ${why}`);
  }

  /** Ends it and begins another instance: what is known then was kept somewhere. */
  async restart(): Promise<ReadyAgent> {
    await this.wire.close();
    return this.stage.ready();
  }

  /** Asks for a session of another connection, by `session/load` or `session/resume`. */
  async bringBack(method: Way, sessionId: string, changes: RawMessage = {}): Promise<BroughtBack> {
    const from = this.wire.journal.length;
    const params = { sessionId, cwd: this.stage.folder, mcpServers: [], ...changes };
    const reply = await this.stage.starts.start(this.wire, method, params);
    const before = framesOf(this.wire.journal.slice(from, this.wire.journal.indexOf(reply.entry)));
    return { session: new Session(this, sessionId, reply), reply, before };
  }
}

/** The id of a session that no agent refuses, unless it is on another machine. Without one the scenario stops. */
export function begunSession(reply: Reply, { isRemote, folder }: Pick<SessionStage, 'isRemote' | 'folder'>): string {
  const { result, error, entry } = reply;
  if (error?.code === -32_000) throw new Stopped(loginFirst);
  // An agent that lacks a model or a setting has its own errors for that; "method not found" is not one of them.
  if (error !== undefined && !isRefusal(error)) throw new Stopped(`session/new failed: ${textOfError(reply)}`);
  if (isRemote && error?.code === -32_602)
    throw new Stopped(
      `session/new was refused in ${folder}: ${textOfError(reply)}. Use --cwd to name a folder in which the agent works`,
    );
  const id = at(result, 'sessionId');
  if (typeof id === 'string') return id;
  throw new Stopped(`session/new was refused: ${textOfError(reply)}`, { requirement: 'R048', evidence: [entry] });
}

const back = [
  ['session/load', 'loadSession'],
  ['session/resume', 'sessionCapabilities.resume'],
] as const;

export type Way = (typeof back)[number][0];

export class Session extends Frames {
  readonly agent: ReadyAgent;
  readonly wire: Wire;
  readonly id: string;
  /** The answer that opened it. */
  readonly reply: Reply;

  constructor(agent: ReadyAgent, id: string, reply: Reply) {
    super(() => agent.wire.journal);
    this.agent = agent;
    this.wire = agent.wire;
    this.id = id;
    this.reply = reply;
  }

  get host(): Host {
    return this.agent.host;
  }

  get setup(): RawMessage {
    return asMessage(this.reply.result) ?? {};
  }

  /** Sends a prompt, and does not wait for the end of its turn. */
  begin(prompt: string | readonly RawMessage[]): RunningTurn {
    return new RunningTurn(this.wire, this.agent.stage.turns, { sessionId: this.id, prompt });
  }

  /** Sends a prompt and waits for the end of its turn. A turn that fails or does not end is not a fault here: the scenario stops. */
  async prompt(prompt: string | readonly RawMessage[]): Promise<RunningTurn> {
    const turn = await this.begin(prompt).end();
    if (turn.error !== undefined) throw new Stopped(failureOf(turn.error));
    return turn;
  }

  /** Has the agent do something, to the end of its turn. The scenario stops if there is no prompt for that. */
  does(action: Action, values: Readonly<Record<string, string>> = {}): Promise<RunningTurn> {
    return this.prompt(this.agent.stage.steer(action, values));
  }

  /** Has the agent say a word, to the end of its turn. */
  says(text: string): Promise<RunningTurn> {
    return this.does('say', { text });
  }

  ask(method: string, params: RawMessage = {}): Promise<Reply> {
    return this.wire.ask(method, { sessionId: this.id, ...params });
  }

  cancel(): JournalEntry {
    return this.wire.notify('session/cancel', { sessionId: this.id });
  }

  onPermission(answer: RequestAnswer): void {
    this.wire.handle('session/request_permission', answer);
  }

  /** Ends it on its connection, so that it can be restored again: by closing the connection, if there is no other way. */
  async letGo(): Promise<ReadyAgent> {
    if (!this.agent.offers('sessionCapabilities.close')) return this.agent.restart();
    await this.ask('session/close');
    return this.agent;
  }
}
