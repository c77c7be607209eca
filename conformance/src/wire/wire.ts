import type { Subject } from '../requirements/requirement.ts';
import { Journal } from './journal.ts';
import type { Line } from './line.ts';
import {
  asMessage,
  at,
  errorOf,
  type Incoming,
  isAnswerTo,
  isRequest,
  type JournalEntry,
  type RawMessage,
  type Reply,
} from './messages.ts';
import { Stopped } from './stopped.ts';
import { Waiters } from './waiters.ts';

/** Handles a request of the subject: returns a result, or throws a {@link WireError}. `undefined` leaves the request unanswered. */
export type RequestAnswer = (params: RawMessage, request: Incoming) => unknown;

export class WireError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The factor by which the timeout is longer until the first line has arrived. */
const startingFactor = 3;
/** How many raw bytes the journal shows. */
const shownBytes = 1_024;
/** Milliseconds between the pieces of a line. */
const betweenPieces = 20;

/** A timeout that depends on earlier answers. */
export interface AnswerTimeout {
  /** The timeout of the next answer. */
  readonly milliseconds: number;
  note(outcome: 'ended' | 'late', waited: number): void;
}

/** The timeouts of answers by kind: a method, or `invalid lines`. */
export interface AnswerLimits {
  /** The timeout before any answer was late, in milliseconds. */
  readonly full: number;
  of(kind: string): AnswerTimeout;
}

const invalidLines = 'invalid lines';

interface AskOptions {
  /** The id exactly as sent. Default: the next number. */
  readonly id?: unknown;
  /** In milliseconds. */
  readonly within?: number;
}

/**
 * One connection of a scenario to the subject: hand-written JSON-RPC, with every line recorded. Nothing is validated or repaired.
 * Requests of the subject are answered by the handlers that were set, or with -32601.
 */
export class Wire {
  readonly line: Line;
  readonly plays: Subject;
  readonly #journal = new Journal();
  readonly #limits: AnswerLimits;
  readonly #handlers = new Map<string, RequestAnswer>();
  readonly #waiters = new Waiters<JournalEntry>();
  #nextId = 0;
  /** Lines that are being collected, to be sent together. */
  #held: string[] | undefined;
  #hungUpAt: number | undefined;
  /** Whether the subject ended its direction. */
  hasEnded = false;
  /** Whether the subject ended its direction before we hung up. */
  leftFirst = false;

  /**
   * @param options the side that we play, and the default timeout for an answer in milliseconds; it is three times as long for the first
   * line
   */
  constructor(line: Line, { plays, timeout }: { readonly plays: Subject; readonly timeout: number | AnswerLimits }) {
    this.line = line;
    this.plays = plays;
    this.#limits = typeof timeout === 'number' ? fixedLimits(timeout) : timeout;
    const end = (): void => {
      this.hasEnded = true;
      this.leftFirst = this.#hungUpAt === undefined;
      this.#waiters.end();
    };
    line.start({ text: (text, flaw) => this.#receive(text, flaw), end });
  }

  get journal(): readonly JournalEntry[] {
    return this.#journal.entries;
  }

  /** The journal up to the moment we hung up: later messages are not judged. */
  get talk(): readonly JournalEntry[] {
    return this.journal.slice(0, this.#hungUpAt);
  }

  send(message: RawMessage): JournalEntry {
    return this.sendText(JSON.stringify(message));
  }

  sendText(text: string): JournalEntry {
    const entry = this.#journal.add(this.plays, text);
    if (this.#held) this.#held.push(text);
    else this.line.send(text);
    return entry;
  }

  /** Sends bytes unchanged, including any line break. Stops the scenario if the connection does not carry bytes. */
  sendRaw(bytes: Uint8Array): JournalEntry {
    if (this.line.sendBytes === undefined) throw new Stopped('the connection does not carry raw bytes');
    void this.line.sendBytes(bytes);
    return this.#journal.add(this.plays, Buffer.from(bytes.subarray(0, shownBytes)).toString('utf8'));
  }

  /** Sends all lines of a callback in one write, if the line carries bytes; otherwise one by one. */
  together(send: () => void): void {
    const lines: string[] = (this.#held = []);
    try {
      send();
    } finally {
      this.#held = undefined;
      if (this.line.sendBytes) void this.line.sendBytes(bytesOf(lines));
      else for (const line of lines) this.line.send(line);
    }
  }

  /**
   * Sends lines as bytes, in the pieces returned by `cut`; each piece is a separate write. Stops the scenario if the connection does not
   * carry bytes. Returns the journal entry of the last line.
   */
  async sendInPieces(
    lines: readonly [string, ...string[]],
    cut: (bytes: Uint8Array) => readonly Uint8Array[],
  ): Promise<JournalEntry> {
    const { sendBytes } = this.line;
    if (sendBytes === undefined) throw new Stopped('the connection does not carry raw bytes');
    const entries = lines.map((line) => this.#journal.add(this.plays, line));
    for (const piece of cut(bytesOf(lines))) {
      await sendBytes(piece);
      // Let the other side read this piece before the next one arrives.
      await this.quiet(betweenPieces);
    }
    return entries.at(-1) as JournalEntry;
  }

  notify(method: string, params: unknown = {}): JournalEntry {
    return this.send({ jsonrpc: '2.0', method, params });
  }

  /**
   * Sends a request and waits for its answer. Throws `Stopped` if none arrives: with R368 if an agent is gone, otherwise with R019,
   * unless the answer may depend on a user or a model.
   */
  async ask(method: string, params: unknown = {}, options: AskOptions = {}): Promise<Reply> {
    const { id = this.#nextId++, within = this.#mostFor(method) } = options;
    const from = this.journal.length;
    const request = this.send({ jsonrpc: '2.0', id, method, params });
    return this.answer(id, { from, within, request });
  }

  /** Waits for the answer to a request that was already sent. */
  async answer(id: unknown, { from = 0, within, request }: AnswerOptions = {}): Promise<Reply> {
    const method = String(at(request?.message, 'method'));
    const limit = within ?? this.#mostFor(method);
    const entry = await this.next((message) => isAnswerTo(id, message), { from, within: limit });
    if (!limitedElsewhere.has(method) && !this.hasEnded)
      this.#limits.of(method).note(entry === undefined ? 'late' : 'ended', limit);
    if (entry === undefined) throw this.#unanswered(id, request);
    const message = asMessage(entry.message) ?? {};
    return { entry, result: message['result'], error: errorOf(message) };
  }

  /** The next response with any id, from index `from` of the journal on: the answer to an invalid line, or to a request of this method. */
  async nextResponse(from: number, kind: string = invalidLines): Promise<JournalEntry | undefined> {
    const limit = this.#mostFor(kind);
    const entry = await this.next((message) => message['method'] === undefined, { from, within: limit });
    if (!this.hasEnded) this.#limits.of(kind).note(entry === undefined ? 'late' : 'ended', limit);
    return entry;
  }

  /** The next matching message, from index `from` of the journal on; undefined if none arrives in time or the subject disconnects. */
  next(
    fits: (message: RawMessage) => boolean,
    { from = 0, within = this.#started(this.#limits.full) }: NextOptions = {},
  ): Promise<JournalEntry | undefined> {
    const theirs = (entry: JournalEntry): boolean =>
      entry.from !== this.plays && asMessage(entry.message) !== undefined && fits(entry.message as RawMessage);
    const known = this.journal.slice(from).find(theirs);
    if (known !== undefined || this.hasEnded) return Promise.resolve(known);
    return this.#waiters.wait(theirs, within);
  }

  /** The objects that the subject sent, from index `from` of the journal on. */
  received(from = 0): readonly { readonly entry: JournalEntry; readonly message: RawMessage }[] {
    return this.journal.slice(from).flatMap((entry) => {
      const message = entry.from === this.plays ? undefined : asMessage(entry.message);
      return message === undefined ? [] : [{ entry, message }];
    });
  }

  handle(method: string, answer: RequestAnswer): void {
    this.#handlers.set(method, answer);
  }

  /** The current handler for requests of a method. */
  handler(method: string): RequestAnswer | undefined {
    return this.#handlers.get(method);
  }

  /** Waits without sending anything. Resolves early if the subject ends. */
  async quiet(milliseconds: number): Promise<void> {
    if (!this.hasEnded) await this.#waiters.wait(() => false, milliseconds);
  }

  /** Ends our direction, which the line may leave half open, and sends nothing more. */
  endInput(): void {
    this.#hungUpAt ??= this.journal.length;
    this.line.endInput?.();
  }

  /** Terminates the process of the subject, if there is one. */
  terminate(): void {
    this.#hungUpAt ??= this.journal.length;
    this.line.process?.kill('SIGTERM');
  }

  async close(): Promise<void> {
    this.#hungUpAt ??= this.journal.length;
    await this.line.close();
  }

  /** The timeout for the answer to a method, in milliseconds. */
  #mostFor(method: string): number {
    // Other answers that were late say nothing about how long an agent takes to start.
    if (method === 'initialize' && !this.#hasSpoken) return startingFactor * this.#limits.full;
    return this.#started(this.#limits.of(method).milliseconds);
  }

  /** A subject that has not sent anything may still be starting. */
  #started(timeout: number): number {
    return this.#hasSpoken ? timeout : startingFactor * timeout;
  }

  get #hasSpoken(): boolean {
    return this.journal.some(({ from }) => from !== this.plays);
  }

  #receive(text: string, flaw: JournalEntry['flaw']): void {
    const entry = this.#journal.add(this.plays === 'client' ? 'agent' : 'client', text, flaw);
    this.#waiters.offer(entry);
    const message = asMessage(entry.message);
    if (isRequest(message)) void this.#reply(message);
  }

  async #reply(request: Incoming): Promise<void> {
    const { id, method } = request;
    try {
      const handler = this.#handlers.get(method);
      if (handler === undefined) throw new WireError(-32601, `${method} is not offered here`);
      const result = await handler(asMessage(request['params']) ?? {}, request);
      if (result !== undefined) this.send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      const { code, data } = error instanceof WireError ? error : { code: -32603, data: undefined };
      const message = error instanceof Error ? error.message : String(error);
      this.send({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
    }
  }

  #unanswered(
    id: unknown,
    // The last request that was sent with the id.
    request = this.journal.findLast(({ from, message }) => from === this.plays && at(message, 'id') === id),
  ): Stopped {
    const method = asMessage(request?.message)?.['method'];
    if (!this.hasEnded && typeof method === 'string' && openEnded.has(method))
      return new Stopped(`${method} was not answered in time: ${openEnded.get(method)}`);
    const what = typeof method === 'string' ? method : `request ${JSON.stringify(id)}`;
    const reason = this.hasEnded
      ? `the connection ended before ${what} was answered${lastOutputOf(this.line)}`
      : `${what} was not answered in time`;
    const requirement = this.hasEnded && this.plays === 'client' ? 'R368' : 'R019';
    return new Stopped(reason, { requirement, evidence: request === undefined ? [] : [request] });
  }
}

/** The same timeout for every answer. */
function fixedLimits(milliseconds: number): AnswerLimits {
  const start = { milliseconds: startingFactor * milliseconds, note: () => undefined };
  const usual = { milliseconds, note: () => undefined };
  return { full: milliseconds, of: (kind) => (starting.has(kind) ? start : usual) };
}

/** The last output of a subject as the end of a sentence; empty if unknown. */
export function lastOutputOf(line: Line): string {
  const words = line.lastOutput?.().trim().split('\n').at(-1) ?? '';
  return words === '' ? '' : `; its last output is: ${words.slice(0, 300)}`;
}

function bytesOf(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
}

/** Calls for which agents start programs. */
const starting: ReadonlySet<string> = new Set(['session/new', 'session/load', 'session/resume']);

/** The calls that begin a connection, a session or a turn: their callers take notice of the outcome. */
const limitedElsewhere: ReadonlySet<string> = new Set(['initialize', 'session/prompt', ...starting]);

/** Calls that may take any time, and what they may wait for: a missing answer is not a fault. */
const openEnded: ReadonlyMap<string, string> = new Map([
  ['session/prompt', 'the turn continues'],
  ['session/request_permission', 'no choice was made'],
  ['elicitation/create', 'the question was not answered'],
  ['authenticate', 'the login was not completed'],
  ['auth/login', 'the login was not completed'],
]);

/** The journal index to start from, and the timeout in milliseconds. */
interface NextOptions {
  readonly from?: number;
  readonly within?: number | undefined;
}

/** Where to look for an answer, and the evidence if none arrives. */
interface AnswerOptions extends NextOptions {
  readonly request?: JournalEntry;
}
