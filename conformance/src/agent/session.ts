import { dirname } from 'node:path';
import type { CheckedVersion } from '../requirements/requirement.ts';
import { asMessage, at, isOffered, type JournalEntry, type RawMessage, type Reply } from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';
import type { RequestAnswer, Wire } from '../wire/wire.ts';
import { failureOf, isRefusal, loginRequired, refusalText, textOfError } from './failed-turn.ts';
import { Frames, framesOf } from './frames.ts';
import type { Host } from './host/simulate-host.ts';
import { RunningTurn } from './running-turn.ts';
import { Turn2 } from './turn-2.ts';
import type { Action } from './steering.ts';
import type { TurnTimeout } from '../wire/turn-timeout.ts';

/** The part of a scenario's context that sessions need. */
export interface SessionContext {
  readonly version: CheckedVersion;
  readonly folder: string;
  /** Whether the agent is reached over a network: it may then refuse folders of this machine. */
  readonly isRemote: boolean;
  readonly turns: TurnTimeout;
  readonly starts: TurnTimeout;
  steer(action: Action, values: Readonly<Record<string, string>>): string;
  /** Starts another instance of the agent. */
  ready(): Promise<ReadyAgent>;
}

export interface Initialized {
  readonly reply: Reply;
  readonly result: RawMessage;
  readonly capabilities: RawMessage;
}

export interface RestoredSession {
  readonly session: Session;
  readonly reply: Reply;
  /** The request, and everything that arrived before its answer. */
  readonly before: Frames;
}

/** An agent that was started, initialized and, if requested, logged in. */
export class ReadyAgent extends Frames {
  readonly context: SessionContext;
  readonly wire: Wire;
  /** The host of the simulated client. */
  readonly host: Host;
  readonly initialized: Initialized;

  constructor(context: SessionContext, { wire, host, initialized }: Pick<ReadyAgent, 'wire' | 'host' | 'initialized'>) {
    super(() => wire.journal);
    this.context = context;
    this.wire = wire;
    this.host = host;
    this.initialized = initialized;
  }

  /** Whether the agent advertises true or an object at a path of its capabilities in version 1, such as `sessionCapabilities.list`. */
  offers(path: string): boolean {
    return isOffered(this.initialized.capabilities, this.#inVersion(path));
  }

  expectOffered(...paths: readonly string[]): void {
    for (const path of paths) if (!this.offers(path)) throw new Stopped(`${this.#inVersion(path)} is not advertised`);
  }

  #inVersion(path: string): string {
    return this.context.version === 2 ? (capabilitiesInVersion2[path] ?? path) : path;
  }

  /** The methods to restore sessions that the agent advertises. Stops the scenario if there are none. */
  restoreMethods(): readonly RestoreMethod[] {
    if (this.context.version === 2) return ['session/resume'];
    const ways = restoreOffers.filter(([, offer]) => this.offers(offer)).map(([way]) => way);
    if (ways.length === 0) throw new Stopped('neither loadSession nor sessionCapabilities.resume is advertised');
    return ways;
  }

  askForSession(changes: RawMessage = {}): Promise<Reply> {
    const params = { cwd: this.context.folder, mcpServers: [], ...changes };
    return this.context.starts.start(this.wire, 'session/new', params);
  }

  /** Creates a session in the folder of the scenario, which no agent may refuse. */
  async session(changes: RawMessage = {}): Promise<Session> {
    if (this.context.version === 2) this.expectOffered('session');
    const reply = await this.askForSession(changes);
    return new Session(this, createdSessionId(reply, this.context), reply);
  }

  /** Creates a session with parameters that an agent may refuse. A refusal stops the scenario without blame. */
  async trySession(changes: RawMessage): Promise<Session> {
    const reply = await this.askForSession(changes);
    if (reply.error?.code === -32_000) throw new Stopped(loginRequired);
    const id = at(reply.result, 'sessionId');
    if (typeof id === 'string') return new Session(this, id, reply);
    const why = reply.error === undefined ? 'the result has no session id' : refusalText(reply.error);
    throw new Stopped(`${['a session', ...Object.keys(changes)].join(' with ')} was refused: ${why}`);
  }

  /** Ends this instance and starts another: whatever the new one knows was stored. */
  async restart(): Promise<ReadyAgent> {
    await this.wire.close();
    return this.context.ready();
  }

  /**
   * Restores a session of another connection with `session/load` or `session/resume`; in version 2 the former is a `session/resume` with a
   * replay.
   */
  async restore(method: RestoreMethod, sessionId: string, changes: RawMessage = {}): Promise<RestoredSession> {
    const from = this.wire.journal.length;
    const isReplay = this.context.version === 2 && method === 'session/load';
    const replay = isReplay ? { replayFrom: { type: 'start' } } : {};
    const params = { sessionId, cwd: this.context.folder, mcpServers: [], ...replay, ...changes };
    const reply = await this.context.starts.start(this.wire, isReplay ? 'session/resume' : method, params);
    const before = framesOf(this.wire.journal.slice(from, this.wire.journal.indexOf(reply.entry)));
    return { session: new Session(this, sessionId, reply), reply, before };
  }
}

/** The id of a session that no agent may refuse, except on another machine. Stops the scenario if there is none. */
export function createdSessionId(
  reply: Reply,
  { isRemote, folder }: Pick<SessionContext, 'isRemote' | 'folder'>,
): string {
  const { result, error, entry } = reply;
  if (error?.code === -32_000) throw new Stopped(loginRequired);
  // An agent without a model or a setting may report that with its own error, but not as an unknown method.
  if (error !== undefined && !isRefusal(error)) throw new Stopped(`session/new failed: ${textOfError(reply)}`);
  // The parent of the folder is in the name of the folder, too.
  if (error?.code === -32_602 && (isRemote || String(error.message).includes(dirname(folder))))
    throw new Stopped(refusedFolder(reply, { isRemote, folder }));
  const id = at(result, 'sessionId');
  if (typeof id === 'string') return id;
  throw new Stopped(`session/new was refused: ${textOfError(reply)}`, { requirement: 'R048', evidence: [entry] });
}

/** Why the agent creates no session, and how to check it: each scenario has a folder of its own, so that the reason leaves its name out. */
function refusedFolder(reply: Reply, { isRemote, folder }: Pick<SessionContext, 'isRemote' | 'folder'>): string {
  const why = textOfError(reply)
    .replaceAll(folder, 'the scratch folder')
    .replaceAll(dirname(folder), 'the scratch folder');
  const how = isRemote
    ? 'Name a folder in which the agent may work with --cwd'
    : 'Set the variable TMPDIR to a folder in which the agent may work';
  return `session/new was refused: ${why}. ${how}`;
}

/** The capabilities of agents in version 2 by their name in version 1. */
const capabilitiesInVersion2: Readonly<Record<string, string>> = {
  loadSession: 'session',
  'sessionCapabilities.resume': 'session',
  'sessionCapabilities.list': 'session',
  'sessionCapabilities.close': 'session',
  'sessionCapabilities.delete': 'session.delete',
  'sessionCapabilities.additionalDirectories': 'session.additionalDirectories',
  'mcpCapabilities.http': 'session.mcp.http',
};

/** The methods of version 1 to restore sessions, with the capability for each. */
export const restoreOffers = [
  ['session/load', 'loadSession'],
  ['session/resume', 'sessionCapabilities.resume'],
] as const;

export type RestoreMethod = (typeof restoreOffers)[number][0];

export class Session extends Frames {
  readonly agent: ReadyAgent;
  readonly wire: Wire;
  readonly id: string;
  /** The answer to the request that opened it. */
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

  /** Sends a prompt without waiting for the end of its turn. */
  begin(prompt: string | readonly RawMessage[]): RunningTurn {
    const { turns, version } = this.agent.context;
    const Turn = version === 2 ? Turn2 : RunningTurn;
    return new Turn(this.wire, turns, { sessionId: this.id, prompt });
  }

  /** Sends a prompt and waits for the end of its turn. A turn that fails or does not end stops the scenario; it is not a fault. */
  async prompt(prompt: string | readonly RawMessage[]): Promise<RunningTurn> {
    const turn = await this.begin(prompt).end();
    if (turn.error !== undefined) throw new Stopped(failureOf(turn.error));
    return turn;
  }

  /** Makes the agent perform an action, and waits for the end of the turn. Stops the scenario if no prompt is known for it. */
  does(action: Action, values: Readonly<Record<string, string>> = {}): Promise<RunningTurn> {
    return this.prompt(this.agent.context.steer(action, values));
  }

  /** Makes the agent say a text, and waits for the end of the turn. */
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

  /** Ends the session on its connection so that it can be restored. Without `session/close` this closes the connection. */
  async release(): Promise<ReadyAgent> {
    if (!this.agent.offers('sessionCapabilities.close')) return this.agent.restart();
    await this.ask('session/close');
    return this.agent;
  }
}
