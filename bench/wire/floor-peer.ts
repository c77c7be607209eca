import type { PromptRequest, PromptResponse, SessionNotification } from '@turnwire/protocol';
import type { BenchClient, Contender } from './contender.ts';
import {
  initializeRequest,
  initializeResponse,
  newSessionRequest,
  openSession,
  readPrompt,
  streamedAnswer,
} from './script.ts';
import { updatesOf } from './updates.ts';

type Handlers = Readonly<Record<string, (params: never, peer: FloorPeer) => unknown>>;

/** The fields of a message that the floor reads. */
export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** Sends a text. A returned promise is backpressure: it resolves when more may be sent. */
export type Write = (text: string, message: Message) => Promise<void> | undefined;

/**
 * Bare JSON over any transport of texts: no checks, no errors, no limits. Its cost is the minimum for the work in JavaScript; an
 * implementation of the protocol adds the difference to it.
 */
export class FloorPeer {
  readonly #write: Write;
  readonly #handlers: Handlers;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #nextId = 0;

  constructor(write: Write, handlers: Handlers) {
    this.#write = write;
    this.#handlers = handlers;
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      void this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  notify(method: string, params: unknown): Promise<void> | undefined {
    return this.#send({ jsonrpc: '2.0', method, params });
  }

  receive(text: string): void {
    const { id, method, params, result } = JSON.parse(text) as Message;
    if (method !== undefined) this.#call(method, params, id);
    else {
      this.#waiting.get(id as number)?.(result);
      this.#waiting.delete(id as number);
    }
  }

  #send(message: Message & { readonly jsonrpc: '2.0' }): Promise<void> | undefined {
    return this.#write(JSON.stringify(message), message);
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

const agentHandlers: Handlers = {
  initialize: () => initializeResponse,
  'session/new': (_params, peer) => ({ sessionId: openSession((update) => peer.notify('session/update', update)) }),
  'session/prompt': prompt,
};

/** The scripted agent. */
export function floorAgent(write: Write): FloorPeer {
  return new FloorPeer(write, agentHandlers);
}

/** The client's end. Pass received texts to `peer`. */
export function floorClient(
  write: Write,
  onUpdate: Parameters<Contender['connect']>[1],
): { readonly client: BenchClient; readonly peer: FloorPeer } {
  const peer = new FloorPeer(write, { 'session/update': ({ update }: SessionNotification) => onUpdate(update) });
  const client: BenchClient = {
    initialize: () => peer.request('initialize', initializeRequest),
    newSession: async () => ((await peer.request('session/new', newSessionRequest)) as { sessionId: string }).sessionId,
    prompt: (sessionId, text) =>
      peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }) as Promise<PromptResponse>,
  };
  return { client, peer };
}
