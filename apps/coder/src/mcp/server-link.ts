import { setTimeout as delay } from 'node:timers/promises';
import type { UserAnswer, UserQuestion } from '@turnwire/agent';
import { OutputTail } from '@turnwire/machine';
import { untilAborted } from '@turnwire/machine/waits';
import { ToolError } from '../tool-error.ts';
import { CallClock } from './call-clock.ts';
import type { Connection, ConnectionHost, RequestTerms } from './connection.ts';
import { failureReason, isLoss, isUnknownSession } from './failure-reason.ts';
import type { KnownServer } from './known-server.ts';
import { logLines } from './log-lines.ts';
import type { McpLimits } from '../config/mcp-limits.ts';
import { secretRemover } from './secrets.ts';
import { nothingOffered } from './server-offers.ts';
import type { ServerOffers } from './server-offers.ts';

const mostFailures = 5;

/** The state of a server's connection. */
export type LinkState =
  /** The user has not been asked yet. */
  | { readonly is: 'unasked' }
  /** The user refused it. */
  | { readonly is: 'refused' }
  | { readonly is: 'connecting' }
  | { readonly is: 'connected'; readonly connection: Connection }
  /** It was never connected. */
  | { readonly is: 'failed'; readonly reason: string }
  /** It was connected, and is reconnected when it is needed. */
  | { readonly is: 'lost'; readonly reason: string }
  | { readonly is: 'closed' };

/** The context and the callbacks of a link. */
export interface LinkHost extends Pick<ConnectionHost, 'cwd' | 'roots' | 'env' | 'asks' | 'ask'> {
  readonly limits: McpLimits;
  /** The offers or the state of a server have changed. */
  readonly changed: () => void;
  /** A warning for the user, once. */
  readonly warn: (warning: string) => void;
}

/** A request, as it is made on a connection. */
type Work<Value> = (connection: Connection, terms: RequestTerms) => Promise<Value>;

/** A server and its connection, which may be lost and restored. */
export class ServerLink {
  readonly known: KnownServer;
  /** Its stderr and its log. */
  readonly log: OutputTail = new OutputTail(64 * 1024);
  /** Removes its secrets from a text. */
  readonly cleaned: (text: string) => string;
  readonly #host: LinkHost;
  readonly #clocks = new Set<CallClock>();
  #state: LinkState = { is: 'unasked' };
  #offers: ServerOffers = nothingOffered;
  #attempt: Promise<void> = Promise.resolve();
  #giveUp: AbortController | undefined;
  #failures = 0;

  constructor(known: KnownServer, host: LinkHost) {
    this.known = known;
    this.cleaned = secretRemover(known.server);
    this.#host = host;
  }

  get name(): string {
    return this.known.name;
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Its offers, as last listed. A lost server still has them, since the next use reconnects it. */
  get offers(): ServerOffers {
    return this.#offers;
  }

  /** Starts to connect, unless it is connected or connecting. Resolves with either result, and never rejects. */
  connect(): Promise<void> {
    if (this.#state.is === 'connecting' || this.#state.is === 'connected') return this.#attempt;
    if (this.#state.is === 'closed') return Promise.resolve();
    this.#become({ is: 'connecting' });
    this.#attempt = this.#connect();
    return this.#attempt;
  }

  /** Closes any connection and connects again. */
  async reconnect(): Promise<void> {
    await this.#end({ is: 'unasked' });
    this.#failures = 0;
    await this.connect();
  }

  /** Never connects, because the user refused it. */
  async refuse(): Promise<void> {
    await this.#end({ is: 'refused' });
    this.#offers = nothingOffered;
    this.#host.changed();
  }

  async close(): Promise<void> {
    await this.#end({ is: 'closed' });
  }

  /**
   * Makes a request, reconnecting if the connection was lost. A server that was started again does nothing for a session it does not know: then
   * the request is made once more, in a new session.
   * @throws ToolError with the failure, for model and user; the signal's reason if it aborts
   */
  async use<Value>(terms: RequestTerms, work: Work<Value>): Promise<Value> {
    for (let isFirst = true; ; isFirst = false) {
      const connection = await this.#connected(terms.signal);
      try {
        return await this.#run(connection, terms, work);
      } catch (error) {
        if (terms.signal.aborted) throw error;
        if (!isFirst || !isUnknownSession(error)) throw this.#failed(error, connection);
        if (this.#isCurrent(connection)) this.#drop(connection, error);
      }
    }
  }

  /** @throws ToolError if the request took too long, or the error of the work */
  async #run<Value>(connection: Connection, { signal, progress }: RequestTerms, work: Work<Value>): Promise<Value> {
    const { callLimit, wholeCallLimit } = this.#host.limits;
    using clock = new CallClock({ idle: callLimit, whole: wholeCallLimit }, signal);
    this.#clocks.add(clock);
    try {
      const value = await work(connection, {
        signal: clock.signal,
        progress: (step) => {
          clock.touch();
          progress?.(step);
        },
      });
      this.#failures = 0;
      return value;
    } catch (error) {
      if (clock.tooLong === undefined || signal.aborted) throw error;
      throw new ToolError(`The MCP server ${this.name} was cancelled: ${clock.tooLong}.`);
    } finally {
      this.#clocks.delete(clock);
    }
  }

  async #connect(): Promise<void> {
    const { connectLimit } = this.#host.limits;
    const giveUp = new AbortController();
    this.#giveUp = giveUp;
    const timer = setTimeout(() => {
      giveUp.abort(new Error(`it did not answer within ${connectLimit / 1000} s`));
    }, connectLimit);
    try {
      const { openConnection } = await import('./open-connection.ts');
      const connection = await openConnection(this.#connectionHost(giveUp.signal), giveUp.signal);
      this.#connectedTo(connection, giveUp.signal);
    } catch (error) {
      if (!isGivenUp(giveUp.signal)) this.#couldNotConnect(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #connectionHost(wanted: AbortSignal): ConnectionHost {
    const { cwd, roots, env, asks } = this.#host;
    return {
      server: this.known.server,
      cwd,
      roots,
      env,
      log: this.log,
      asks,
      ask: (question) => this.#ask(question),
      changed: (offers) => {
        if (isGivenUp(wanted)) return;
        this.#take(offers);
        this.#host.changed();
      },
      lost: (reason) => {
        if (!isGivenUp(wanted)) this.#lose(reason);
      },
    };
  }

  #connectedTo(connection: Connection, wanted: AbortSignal): void {
    if (isGivenUp(wanted)) return void connection.close();
    this.#take(connection.offers);
    this.#become({ is: 'connected', connection });
  }

  #take(offers: ServerOffers): void {
    const before = new Set(this.#offers.warnings);
    this.#offers = offers;
    for (const warning of offers.warnings)
      if (!before.has(warning)) this.#host.warn(`The MCP server ${this.name}: ${warning}`);
  }

  #couldNotConnect(error: unknown): void {
    const reason = this.cleaned(error instanceof Error ? error.message : String(error));
    this.#failures++;
    if (this.#offers !== nothingOffered) return this.#become({ is: 'lost', reason });
    this.#become({ is: 'failed', reason });
    this.#host.warn(`The MCP server ${this.name} cannot be used: ${reason}`);
  }

  #lose(reason: string): void {
    this.#failures++;
    const printed = logLines(this.log, 3).join('\n');
    this.#become({
      is: 'lost',
      reason: this.cleaned(printed === '' ? reason : `${reason}. The last it printed:\n${printed}`),
    });
  }

  async #connected(signal: AbortSignal): Promise<Connection> {
    if (this.#state.is === 'lost') await this.#comeBack(this.#state.reason, signal);
    if (this.#state.is === 'connecting') await untilAborted(this.#attempt, signal);
    signal.throwIfAborted();
    const state = this.state;
    if (state.is === 'connected') return state.connection;
    const reason = 'reason' in state ? `: ${state.reason}` : '.';
    throw new ToolError(`The MCP server ${this.name} is not connected${reason}`);
  }

  /** Waits longer each time, and gives up eventually: a server that crashes on every call would be restarted forever. */
  async #comeBack(reason: string, signal: AbortSignal): Promise<void> {
    if (this.#failures >= mostFailures)
      throw new ToolError(
        `The MCP server ${this.name} failed ${this.#failures} times in a row and is not started again: ${reason}\nThe user can try again with /mcp reconnect ${this.name}.`,
      );
    const pause = this.#failures <= 1 ? 0 : this.#host.limits.reconnectPause * 2 ** (this.#failures - 2);
    await delay(pause, undefined, { signal });
    if (this.#state.is === 'lost') await untilAborted(this.connect(), signal);
  }

  #isCurrent(connection: Connection): boolean {
    return this.#state.is === 'connected' && this.#state.connection === connection;
  }

  #drop(connection: Connection, error: unknown): void {
    void connection.close();
    this.#lose(failureReason(error, this.known.server));
  }

  #failed(error: unknown, connection: Connection): Error {
    if (error instanceof ToolError) return error;
    if (this.#isCurrent(connection) && isLoss(error)) this.#drop(connection, error);
    const state = this.state;
    if (state.is === 'lost')
      return new ToolError(
        `The MCP server ${this.name} was lost during the call: ${state.reason}\nWhether the call had any effect is not known. The next call reconnects it.`,
      );
    return new ToolError(
      `The MCP server ${this.name} refused: ${this.cleaned(failureReason(error, this.known.server))}`,
    );
  }

  /** The clock of calls stops while the user answers. */
  async #ask(question: UserQuestion): Promise<UserAnswer | undefined> {
    const waiting = [...this.#clocks];
    for (const clock of waiting) clock.pause();
    try {
      return await this.#host.ask(question);
    } finally {
      for (const clock of waiting) clock.resume();
    }
  }

  async #end(state: LinkState): Promise<void> {
    const before = this.#state;
    this.#become(state);
    this.#giveUp?.abort(givenUp);
    await this.#attempt;
    if (before.is === 'connected') await before.connection.close();
  }

  #become(state: LinkState): void {
    if (this.#state.is === 'closed') return;
    this.#state = state;
    this.#host.changed();
  }
}

const givenUp = new Error('it is no longer wanted');

function isGivenUp(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === givenUp;
}
