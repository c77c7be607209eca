import {
  isAnswerTo,
  isOffered,
  type JournalEntry,
  type RawMessage,
  type Reply,
  objectsIn,
} from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import { Wire } from '../../wire/wire.ts';
import type { Launch, LaunchedConnection, LaunchedProcess, LaunchEvent } from '../launch/launch.ts';
import { type AgentOffer, bareAgent } from './agent-offer.ts';

/** What the agent says in a turn unless a scenario has it do something else. */
export const usualWords = 'The usual words of an agent.';

/** How far apart two things may be that were done together, in milliseconds. */
const together = 150;

/**
 * The agent that a client meets: a wire with answers to everything a well-behaved agent offers. A scenario may replace any of them with
 * `handle`. It leaves when its input ends, as an agent should.
 */
export class PlayedAgent extends Wire {
  readonly launch: Launch;
  readonly #onFailure: (error: unknown) => void;
  #offer: AgentOffer = bareAgent;
  #sessions = 0;
  #odd = 0;
  #leavesAtEnd = true;

  /**
   * @param patience how long the client's answers are waited for, in milliseconds
   * @param onFailure receives what went wrong while a request of the client was answered
   */
  constructor(launch: Launch, patience: number, onFailure: (error: unknown) => void) {
    super(launch.line, { plays: 'agent', patience });
    this.launch = launch;
    this.#onFailure = onFailure;
    this.#play();
  }

  /** Begins to react to what is done to its process: once it is clear how the agent behaves. No line is received before that either. */
  listen(): void {
    this.launch.process?.onEvent((event) => this.#react(event));
  }

  /** The process that the client takes for its agent. Throws `Stopped` if there is none. */
  get process(): LaunchedProcess {
    if (this.launch.process === undefined) throw new Stopped('the client starts no process here');
    return this.launch.process;
  }

  /** What carries the line. Throws `Stopped` if the client does not reach its agent by a URL. */
  get connection(): LaunchedConnection {
    if (this.launch.connection === undefined) throw new Stopped('the client reaches its agent by no URL here');
    return this.launch.connection;
  }

  /** Changes what the agent offers: what is not named stays as it is. */
  offer(changes: Partial<AgentOffer>): void {
    this.#offer = { ...this.#offer, ...changes };
  }

  /** Has the agent stay when its input ends, until it is terminated. */
  stay(): void {
    this.#leavesAtEnd = false;
  }

  /** Leaves: exits with a code if it is a process, and else drops the connection. */
  leave(code = 0): void {
    if (this.launch.process === undefined) void this.line.close();
    else this.launch.process.exit(code);
  }

  /** Answers requests of the client. What stops an answer stops the scenario. */
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

  update(sessionId: unknown, update: unknown): JournalEntry {
    return this.notify('session/update', { sessionId, update });
  }

  say(sessionId: unknown, text: string): JournalEntry {
    return this.update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }

  /**
   * Asks for something odd; undefined if the client ends the connection in place of an answer, as it may then. Throws `Stopped` if nothing
   * comes: with R019, unless a user may be asked.
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

  /** Asks for what is answered at once, since it is known what to answer. Throws `Stopped` with R019 if no answer comes. */
  async askOwed(method: string, params: unknown): Promise<Reply> {
    const reply = await this.askOdd(method, params);
    if (reply === undefined)
      throw new Stopped(`the connection ended before ${method} was answered`, { requirement: 'R019' });
    return reply;
  }

  /** The requests and notifications of the client for a method so far. */
  calls(method: string): readonly { readonly entry: JournalEntry; readonly params: RawMessage }[] {
    return this.received()
      .filter(({ message }) => message['method'] === method)
      .map(({ entry, message }) => ({ entry, params: (message['params'] ?? {}) as RawMessage }));
  }

  /** Whether the client said that it has a capability, such as `fs.readTextFile`. */
  clientOffers(path: string): boolean {
    return isOffered(this.calls('initialize')[0]?.params['clientCapabilities'], path);
  }

  /** The next call of a method, or the one that was; undefined if none comes in time or the client is gone. */
  call(method: string, within?: number): Promise<JournalEntry | undefined> {
    return this.next((message) => message['method'] === method, { within });
  }

  /** What `initialize` is answered with. */
  introduction(): RawMessage {
    const { capabilities, authMethods } = this.#offer;
    return {
      protocolVersion: 1,
      agentCapabilities: capabilities,
      agentInfo: { name: 'turnwire-check', title: 'Turnwire check', version: '0.1.0' },
      authMethods,
    };
  }

  #react(event: LaunchEvent): void {
    if (this.launch.process?.left === true) return;
    if (event === 'end of stdin' && this.#leavesAtEnd) this.launch.process?.exit(0);
    if (event !== 'SIGTERM' && event !== 'SIGHUP') return;
    // An end of input that was sent together with the signal is seen, too.
    if (this.#leavesAtEnd) this.launch.process?.die(event);
    else setTimeout(() => this.launch.process?.die(event), together);
  }

  #play(): void {
    this.handle('initialize', () => this.introduction());
    this.handle('session/new', () => ({ sessionId: `session-${++this.#sessions}`, ...this.#offer.setup }));
    this.handle('session/load', () => ({ ...this.#offer.setup }));
    this.handle('session/resume', () => ({ ...this.#offer.setup }));
    this.handle('session/list', () => ({ sessions: this.#offer.sessions }));
    for (const method of ['authenticate', 'logout', 'session/close', 'session/delete', 'session/set_mode'])
      this.handle(method, () => ({}));
    this.handle('session/set_config_option', ({ configId, value: currentValue }) => ({
      configOptions: objectsIn(this.#offer.setup['configOptions']).map((option) =>
        option['id'] === configId ? { ...option, currentValue } : option,
      ),
    }));
    this.handle('session/prompt', ({ sessionId }) => {
      this.say(sessionId, usualWords);
      return { stopReason: 'end_turn' };
    });
  }
}
