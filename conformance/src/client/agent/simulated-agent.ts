import type { CheckedVersion } from '../../requirements/requirement.ts';
import {
  asMessage,
  isAnswerTo,
  isOffered,
  type JournalEntry,
  type RawMessage,
  type Reply,
  objectsIn,
} from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import { type AnswerLimits, Wire, WireError } from '../../wire/wire.ts';
import type { Launch, LaunchedConnection, LaunchedProcess, LaunchEvent } from '../launch/launch.ts';
import { type AgentOffer, allCapabilities, bareCapabilities } from './agent-offer.ts';

/** The default text of the agent in a turn. */
export const defaultText = 'The usual words of an agent.';

/** The largest gap between two events that a client may have caused together, in milliseconds. */
const together = 150;

/**
 * The simulated agent: a wire with answers to every request that a well-behaved agent supports. Scenarios may replace any of them with
 * `handle`. It exits when its input ends, as an agent should.
 */
export class SimulatedAgent extends Wire {
  readonly launch: Launch;
  readonly version: CheckedVersion;
  readonly #onFailure: (error: unknown) => void;
  #offer: AgentOffer;
  #sessions = 0;
  /** The number of requests that `askOdd` has sent. */
  #odd = 0;
  #leavesAtEnd = true;

  /**
   * @param options the version of the protocol that it speaks; how long to wait for answers of the client, in milliseconds; and a function
   * that receives errors from the handlers of client requests
   */
  constructor(
    launch: Launch,
    options: { version: CheckedVersion; timeout: number | AnswerLimits; onFailure: (error: unknown) => void },
  ) {
    const { version, timeout, onFailure } = options;
    super(launch.line, { plays: 'agent', timeout });
    this.launch = launch;
    this.version = version;
    this.#onFailure = onFailure;
    this.#offer = { capabilities: bareCapabilities[version], authMethods: [], setup: {}, sessions: [] };
    this.#play();
  }

  /** Begins to react to process events, once the scenario has configured the agent. No line is received before that either. */
  listen(): void {
    this.launch.process?.onEvent((event) => this.#react(event));
  }

  /** The process that the client started as its agent. Throws `Stopped` unless the client started one. */
  get process(): LaunchedProcess {
    if (this.launch.process === undefined) throw new Stopped('the client does not start its agent as a process here');
    return this.launch.process;
  }

  /** The connection behind the line. Throws `Stopped` if the client does not reach its agent by a URL. */
  get connection(): LaunchedConnection {
    if (this.launch.connection === undefined) throw new Stopped('the client does not reach its agent by a URL here');
    return this.launch.connection;
  }

  /** Changes what the agent advertises; fields that are not named keep their value. */
  offer(changes: Partial<AgentOffer>): void {
    this.#offer = { ...this.#offer, ...changes };
  }

  /** Advertises every capability. */
  offerEverything(): void {
    this.offer({ capabilities: allCapabilities[this.version] });
  }

  /** Makes the agent ignore the end of its input and run until it is terminated. */
  stay(): void {
    this.#leavesAtEnd = false;
  }

  /** Ends the agent: a process exits with a code, any other connection is dropped. */
  leave(code = 0): void {
    if (this.launch.process === undefined) void this.line.close();
    else this.launch.process.exit(code);
  }

  /** Sets the handler for a client request. A `Stopped` in the handler stops the scenario. */
  override handle(method: string, answer: Parameters<Wire['handle']>[1]): void {
    super.handle(method, async (params, request) => {
      try {
        return await answer(params, request);
      } catch (error) {
        if (error instanceof Stopped) this.#onFailure(error);
        throw error;
      }
    });
  }

  /** Sends an update. In version 2 chunks without an id belong to one message for each prompt. */
  update(sessionId: unknown, update: unknown): JournalEntry {
    const { sessionUpdate, messageId } = asMessage(update) ?? {};
    const isChunk = typeof sessionUpdate === 'string' && /^(?:agent|user)_.*_chunk$/.test(sessionUpdate);
    if (this.version === 1 || !isChunk || messageId !== undefined)
      return this.notify('session/update', { sessionId, update });
    const id = `answer-${String(this.calls('session/prompt').length)}`;
    return this.notify('session/update', { sessionId, update: { ...(update as RawMessage), messageId: id } });
  }

  say(sessionId: unknown, text: string): JournalEntry {
    return this.update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }

  /**
   * Sends an unusual request. Returns undefined if the client closes the connection instead of answering, which it may. Throws `Stopped`
   * if nothing arrives: with R019, unless the answer may depend on a user.
   */
  async askOdd(
    method: string,
    params: unknown,
    { mayWait = false }: { readonly mayWait?: boolean | undefined } = {},
  ): Promise<Reply | undefined> {
    const id = `odd-${String(++this.#odd)}`;
    const request = this.send({ jsonrpc: '2.0', id, method, params });
    const entry = await this.next((message) => isAnswerTo(id, message));
    if (entry !== undefined) return this.answer(id);
    if (this.hasEnded) return undefined;
    throw new Stopped(
      `${method} was not answered in time`,
      mayWait ? undefined : { requirement: 'R019', evidence: [request] },
    );
  }

  /** Sends a request that a client must answer at once. Throws `Stopped` with R019 if it does not. */
  async askOwed(method: string, params: unknown): Promise<Reply> {
    const reply = await this.askOdd(method, params);
    if (reply === undefined)
      throw new Stopped(`the connection ended before ${method} was answered`, { requirement: 'R019' });
    return reply;
  }

  /** The client's requests and notifications for a method so far. */
  calls(method: string): readonly { readonly entry: JournalEntry; readonly params: RawMessage }[] {
    return this.received()
      .filter(({ message }) => message['method'] === method)
      .map(({ entry, message }) => ({ entry, params: (message['params'] ?? {}) as RawMessage }));
  }

  /** The capabilities in the first `initialize`. */
  get clientCapabilities(): unknown {
    return this.calls('initialize')[0]?.params[this.version === 2 ? 'capabilities' : 'clientCapabilities'];
  }

  /** Whether the client advertised a capability, such as `fs.readTextFile`. */
  clientOffers(path: string): boolean {
    return isOffered(this.clientCapabilities, path);
  }

  /** The first call of a method, past or future; undefined if none arrives in time or the client disconnects. */
  call(method: string, within?: number): Promise<JournalEntry | undefined> {
    return this.next((message) => message['method'] === method, { within });
  }

  /** The result of `initialize`. */
  introduction(): RawMessage {
    const { capabilities, authMethods } = this.#offer;
    const info = { name: 'turnwire-check', title: 'Turnwire check', version: '0.1.0' };
    if (this.version === 2) return { protocolVersion: 2, info, capabilities, authMethods };
    return { protocolVersion: 1, agentCapabilities: capabilities, agentInfo: info, authMethods };
  }

  #react(event: LaunchEvent): void {
    if (this.launch.process?.left === true) return;
    if (event === 'end of stdin' && this.#leavesAtEnd) this.launch.process?.exit(0);
    if (event !== 'SIGTERM' && event !== 'SIGHUP') return;
    // Leave time to observe an end of input that came together with the signal.
    if (this.#leavesAtEnd) this.launch.process?.die(event);
    else setTimeout(() => this.launch.process?.die(event), together);
  }

  #play(): void {
    const isSecond = this.version === 2;
    this.handle('initialize', (params) => this.#introduced(params));
    this.handle('session/new', () => ({ sessionId: `session-${++this.#sessions}`, ...this.#offer.setup }));
    if (!isSecond) this.handle('session/load', () => ({ ...this.#offer.setup }));
    this.handle('session/resume', ({ sessionId, replayFrom }) => {
      if (isSecond && replayFrom) this.update(sessionId, { sessionUpdate: 'replay_complete' });
      if (isSecond) this.update(sessionId, { sessionUpdate: 'state_update', state: 'idle' });
      return { ...this.#offer.setup };
    });
    this.handle('session/list', () => ({ sessions: this.#offer.sessions }));
    const others = isSecond
      ? ['auth/login', 'auth/logout', 'tool_call/cancel', 'terminal/cancel']
      : ['authenticate', 'logout', 'session/set_mode'];
    for (const method of ['session/close', 'session/delete', ...others]) this.handle(method, () => ({}));
    const idOf = isSecond ? 'configId' : 'id';
    this.handle('session/set_config_option', ({ configId, value: currentValue }) => ({
      configOptions: objectsIn(this.#offer.setup['configOptions']).map((option) =>
        option[idOf] === configId ? { ...option, currentValue } : option,
      ),
    }));
  }

  /** In version 2 an agent refuses older versions that it does not speak. */
  #introduced({ protocolVersion: requested }: RawMessage): RawMessage {
    const { version } = this;
    if (version === 1 || (typeof requested === 'number' && requested >= version)) return this.introduction();
    throw new WireError(-32_022, `version ${String(requested)} is not supported`, { requested, supported: [version] });
  }
}
