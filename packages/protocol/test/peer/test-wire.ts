import {
  TurnwireError,
  connectAgent,
  connectClient,
  type FrameAbout,
  type FrameReceiver,
  type Handlers,
  type Params,
  type Peer,
  type PeerOptions,
  ProtocolError,
  type Result,
  type Side,
  type Transport,
  type TransportWarning,
} from '@turnwire/protocol';

type Json = { readonly [key: string]: unknown };

/** A transport whose far end is the test: it is fed raw text and remembers what was sent. */
export class TestWire implements Transport {
  /** Everything sent, as text. */
  readonly sent: string[] = [];
  /** What the peer said of everything sent. */
  readonly abouts: (FrameAbout | undefined)[] = [];
  /** How often the peer asked for a pause. */
  pauses = 0;
  isClosed = false;
  /** Called with every frame sent. */
  onSend: ((frame: string) => void) | undefined;
  /** What `send` returns: a full wire returns a promise. */
  room: Promise<void> | undefined;
  #receiver: FrameReceiver | undefined;
  #ending: { readonly reason: Error | undefined } | undefined;
  #isBusy = false;
  #fed: string[] = [];
  #next = 0;

  /** How many frames were fed and not yet taken: what a paused peer leaves on the wire. */
  get waiting(): number {
    return this.#fed.length - this.#next;
  }

  start(receiver: FrameReceiver): void {
    this.#receiver = receiver;
  }

  send(frame: string, about?: FrameAbout): Promise<void> | undefined {
    this.sent.push(frame);
    this.abouts.push(about);
    this.onSend?.(frame);
    return this.room;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.onClose?.();
  }

  onClose: (() => void) | undefined;

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Puts frames on the wire, objects as JSON. They arrive together, in a later microtask, like lines of one chunk. */
  feed(...frames: readonly (string | Json)[]): void {
    for (const frame of frames) this.#fed.push(typeof frame === 'string' ? frame : JSON.stringify(frame));
    this.#schedule();
  }

  /** The peer on the far side ends its side, or the wire breaks. */
  end(reason?: Error): void {
    this.#ending = { reason };
    this.#schedule();
  }

  /** Hands a frame to the peer at once, with what is known of it. */
  receive(frame: string, about: FrameAbout): void {
    void this.#receiver?.frame(frame, about);
  }

  warning(report: TransportWarning): void {
    this.#receiver?.warning(report);
  }

  /** The frames sent since the last call, parsed. */
  take(): readonly unknown[] {
    return this.sent.splice(0).map((text) => JSON.parse(text) as unknown);
  }

  /** Resolves with the next so many frames sent, parsed. */
  async frames(count: number): Promise<readonly unknown[]> {
    while (this.sent.length < count) await macrotask();
    return this.take();
  }

  #schedule(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    queueMicrotask(() => void this.#deliver());
  }

  async #deliver(): Promise<void> {
    while (this.waiting > 0) {
      const pause = this.#receiver?.frame(this.#fed[this.#next++] as string);
      if (pause === undefined) continue;
      this.pauses++;
      await pause;
    }
    this.#fed = [];
    this.#next = 0;
    this.#isBusy = false;
    if (this.#ending === undefined) return;
    this.#receiver?.end(this.#ending.reason);
    this.#receiver = undefined;
  }
}

/** Two wires joined: what one sends, the other is fed. */
export function wirePair(): readonly [TestWire, TestWire] {
  const [left, right] = [new TestWire(), new TestWire()];
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    one.onSend = (frame) => other.feed(frame);
    one.onClose = () => other.end();
  }
  return [left, right];
}

/** A moment in which everything that needs no timer has happened. */
export async function macrotask(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until something is so; the test's own time limit bounds it. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await macrotask();
}

/** A promise with its ends in hand. */
export function deferred<T = void>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
} {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

export const initialize = { jsonrpc: '2.0', id: 'init', method: 'initialize', params: { protocolVersion: 1 } } as const;

/** Capabilities of a side that offers everything. */
export const everyAgentCapability: NonNullable<Result<'initialize'>['agentCapabilities']> = {
  loadSession: true,
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
  auth: { logout: {} },
};

export const everyClientCapability: NonNullable<Params<'initialize'>['clientCapabilities']> = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  auth: { terminal: true },
  elicitation: { form: {}, url: {} },
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
};

interface Ready<S extends Side> {
  readonly wire: TestWire;
  readonly peer: Peer<S>;
}

/** An agent peer on a test wire, past `initialize`. */
export async function readyAgent(
  handlers: Handlers<'agent'> = {},
  options: PeerOptions & { readonly agent?: Result<'initialize'>['agentCapabilities']; readonly client?: Json } = {},
): Promise<Ready<'agent'>> {
  const wire = new TestWire();
  const { agent = everyAgentCapability, client = everyClientCapability, ...rest } = options;
  const peer = connectAgent(
    wire,
    { initialize: () => ({ protocolVersion: 1, agentCapabilities: agent }), ...handlers },
    rest,
  );
  wire.feed({ ...initialize, params: { protocolVersion: 1, clientCapabilities: client } });
  await wire.frames(1);
  return { wire, peer };
}

/** A client peer on a test wire, past `initialize`. */
export async function readyClient(
  handlers: Handlers<'client'> = {},
  options: PeerOptions & {
    readonly agent?: Json;
    readonly client?: Params<'initialize'>['clientCapabilities'];
    readonly authMethods?: readonly Json[];
  } = {},
): Promise<Ready<'client'>> {
  const wire = new TestWire();
  const { agent = everyAgentCapability, client = everyClientCapability, authMethods = [], ...rest } = options;
  const peer = connectClient(wire, handlers, rest);
  const ready = peer.request('initialize', { protocolVersion: 1, clientCapabilities: client });
  wire.feed({ jsonrpc: '2.0', id: 0, result: { protocolVersion: 1, agentCapabilities: agent, authMethods } });
  await ready;
  wire.take();
  return { wire, peer };
}

/** An agent peer and a client peer that talk to each other, past `initialize`. */
export async function readyPair(
  handlers: { readonly agent?: Handlers<'agent'>; readonly client?: Handlers<'client'> },
  options: PeerOptions = {},
): Promise<{
  readonly agent: Peer<'agent'>;
  readonly client: Peer<'client'>;
  readonly wires: readonly [TestWire, TestWire];
}> {
  const wires = wirePair();
  const agent = connectAgent(
    wires[0],
    { initialize: () => ({ protocolVersion: 1, agentCapabilities: everyAgentCapability }), ...handlers.agent },
    options,
  );
  const client = connectClient(wires[1], handlers.client ?? {}, options);
  await client.request('initialize', { protocolVersion: 1, clientCapabilities: everyClientCapability });
  return { agent, client, wires };
}

/** How a promise ended, as a value to compare. */
export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  try {
    return { resolved: await promise };
  } catch (error) {
    return failure(error);
  }
}

/** An error as a value to compare: what callers may switch on. */
function failure(error: unknown): unknown {
  if (error instanceof ProtocolError)
    return { code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) };
  if (error instanceof TurnwireError) return { code: error.code, message: error.message };
  return { thrown: error };
}

export function answer(id: unknown, result: unknown): Json {
  return { jsonrpc: '2.0', id, result };
}

export function refusal(id: unknown, code: number, message: string, data?: unknown): Json {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

export function call(id: unknown, method: string, params?: unknown): Json {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}

export function note(method: string, params?: unknown): Json {
  return { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) };
}

/** A `session/update` that says one word. */
export function chunk(sessionId: string, text: string): Json {
  return note('session/update', {
    sessionId,
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
  });
}

/** The word of a {@link chunk}, as a handler sees it. */
export function wordOf({ update }: Params<'session/update'>): string {
  if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text')
    throw new TypeError('not a word');
  return update.content.text;
}
