import type { PromptRequest, PromptResponse, SessionNotification } from '@turnwire/protocol';
import type { BenchClient, ByteStreams, Contender } from './contender.ts';
import {
  initializeRequest,
  initializeResponse,
  newSessionRequest,
  nextSessionId,
  readPrompt,
  streamedAnswer,
} from './script.ts';
import { updatesOf } from './updates.ts';

type Handlers = Readonly<Record<string, (params: never, peer: FloorPeer) => unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

const newline = 0x0a;
/** Text at which a batch leaves before its tick is over. */
const batchText = 64 * 1024;

/**
 * JSON over a pair of streams and nothing else: no checks, no errors, no limits. What it costs is what the work costs
 * in JavaScript; the distance to it is what an implementation of the protocol adds.
 */
class FloorPeer {
  readonly #output: ByteStreams['output'];
  readonly #handlers: Handlers;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #nextId = 0;
  #rest: Buffer[] = [];
  #batch: string[] = [];
  #batchSize = 0;
  #isDue = false;
  #room: Promise<void> | undefined;

  constructor({ input, output }: ByteStreams, handlers: Handlers) {
    this.#output = output;
    this.#handlers = handlers;
    input.on('data', this.#read);
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      void this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  /** A promise means there is no room for more just now. */
  notify(method: string, params: unknown): Promise<void> | undefined {
    return this.#send({ jsonrpc: '2.0', method, params });
  }

  #send(message: object): Promise<void> | undefined {
    const text = JSON.stringify(message);
    this.#batch.push(text);
    this.#batchSize += text.length;
    if (this.#batchSize >= batchText) this.#flush();
    else if (!this.#isDue) {
      this.#isDue = true;
      process.nextTick(this.#flush);
    }
    return this.#room;
  }

  readonly #flush = (): void => {
    this.#isDue = false;
    if (this.#batchSize === 0 || this.#room !== undefined) return;
    this.#batch.push('');
    const text = this.#batch.join('\n');
    this.#batch = [];
    this.#batchSize = 0;
    if (!this.#output.write(text)) this.#room = this.#drained();
  };

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#output.once('drain', () => {
        this.#room = undefined;
        this.#flush();
        resolve();
      });
    });
  }

  readonly #read = (chunk: Buffer): void => {
    const last = chunk.lastIndexOf(newline);
    if (last === -1) return void this.#rest.push(chunk);
    const first = this.#rest.length === 0 ? -1 : chunk.indexOf(newline);
    if (first >= 0) this.#receive(Buffer.concat([...this.#rest, chunk.subarray(0, first)]).toString());
    this.#rest = last + 1 < chunk.length ? [chunk.subarray(last + 1)] : [];
    const lines = chunk.toString('utf8', first + 1, last + 1);
    for (let start = 0, end; start < lines.length; start = end + 1) {
      end = lines.indexOf('\n', start);
      this.#receive(lines.slice(start, end));
    }
  };

  #receive(line: string): void {
    const { id, method, params, result } = JSON.parse(line) as Message;
    if (method !== undefined) this.#call(method, params, id);
    else {
      this.#waiting.get(id as number)?.(result);
      this.#waiting.delete(id as number);
    }
  }

  #call(method: string, params: unknown, id: number | undefined): void {
    const returned = this.#handlers[method]?.(params as never, this);
    if (id === undefined) return;
    if (returned instanceof Promise) void returned.then((result) => this.#send({ jsonrpc: '2.0', id, result }));
    else void this.#send({ jsonrpc: '2.0', id, result: returned });
  }
}

function prompt(
  { sessionId, prompt: [block] }: PromptRequest,
  peer: FloorPeer,
): PromptResponse | Promise<PromptResponse> {
  const stream = readPrompt((block as { readonly text: string }).text);
  return stream === undefined
    ? { stopReason: 'end_turn' }
    : sendUpdates(peer, updatesOf(stream.kind, sessionId), stream.count);
}

async function sendUpdates(
  peer: FloorPeer,
  updates: readonly SessionNotification[],
  count: number,
): Promise<PromptResponse> {
  for (let sent = 0; sent < count; sent++) {
    const room = peer.notify('session/update', updates[sent % updates.length]);
    if (room !== undefined) await room;
  }
  return streamedAnswer();
}

function serve(bytes: ByteStreams): void {
  new FloorPeer(bytes, {
    initialize: () => initializeResponse,
    'session/new': () => ({ sessionId: nextSessionId() }),
    'session/prompt': prompt,
  });
}

function connect(bytes: ByteStreams, onUpdate: Parameters<Contender['connect']>[1]): BenchClient {
  const peer = new FloorPeer(bytes, { 'session/update': ({ update }: SessionNotification) => onUpdate(update) });
  return {
    initialize: () => peer.request('initialize', initializeRequest),
    newSession: async () => ((await peer.request('session/new', newSessionRequest)) as { sessionId: string }).sessionId,
    prompt: (sessionId, text) =>
      peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }) as Promise<PromptResponse>,
  };
}

export const floor: Contender = {
  serve,
  connect,
  serveStdio: () => serve({ input: process.stdin, output: process.stdout }),
};
