import type { Sdk } from '../both-packages.ts';

/** The effects of one frame on a program and its other side. */
export interface Observed {
  /** Handlers that were called, with their parameters. */
  readonly calls: readonly (readonly [method: string, params: unknown])[];
  /** Answers that the program sent: their id, and a code or the word `result`. */
  readonly answers: readonly (readonly [id: unknown, end: unknown])[];
  /** The end of the request that the program waits for, if the frame answered it. */
  readonly settled: unknown;
  /** The connection ended. */
  readonly isClosed: boolean;
}

interface Written {
  readonly id?: unknown;
  readonly method?: string;
  readonly error?: { readonly code: number };
}

const lastId = 'last of the frame';
const last = `${JSON.stringify({ jsonrpc: '2.0', id: lastId, method: '_last', params: {} })}\n`;
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: 1 },
});
const encoder = new TextEncoder();

/** The results of both sides' handlers, so that a program answers every request with a valid result. */
const results: Readonly<Record<string, unknown>> = {
  initialize: { protocolVersion: 1 },
  'session/new': { sessionId: 's' },
  'session/prompt': { stopReason: 'end_turn' },
  'session/request_permission': { outcome: { outcome: 'cancelled' } },
  'fs/read_text_file': { content: '' },
  'terminal/create': { terminalId: 't' },
  'terminal/output': { output: '', truncated: false },
};

/** Connects a program over a stream; returns a function that sends its next request. */
export type Program = (
  stream: ReturnType<Sdk['ndJsonStream']>,
  handle: (method: string, params: unknown) => unknown,
) => { readonly ask: () => Promise<unknown>; readonly closed: Promise<void> };

/** An app of one side with handlers for all its methods. */
export function appProgram(sdk: Sdk, side: 'agent' | 'client'): Program {
  return (stream, handle) => {
    const run = ({ method, params }: { readonly method: string; readonly params: unknown }): never =>
      handle(method, params) as never;
    if (side === 'agent') {
      const app = sdk.agent();
      for (const method of [
        'initialize',
        'authenticate',
        'session/new',
        'session/load',
        'session/prompt',
        'session/set_mode',
      ] as const)
        app.onRequest(method, run as never);
      app.onNotification('session/cancel', run).onRequest('*', run).onNotification('*', run);
      const connection = app.connect(stream);
      return {
        ask: () => connection.client.request('fs/read_text_file', { sessionId: 's', path: '/a' }),
        closed: connection.closed,
      };
    }
    const app = sdk.client();
    for (const method of [
      'session/request_permission',
      'fs/read_text_file',
      'fs/write_text_file',
      'terminal/create',
      'terminal/output',
    ] as const)
      app.onRequest(method, run as never);
    app.onNotification('session/update', run).onRequest('*', run);
    app.onNotification('_vendor/note', (params) => params, run);
    const connection = app.connect(stream);
    return { ask: () => connection.agent.request('_vendor/ask', {}), closed: connection.closed };
  };
}

/** A class of version 0.12 to 1.9. */
export function classProgram(sdk: Sdk, side: 'agent' | 'client'): Program {
  return (stream, handle) => {
    const call = (method: string) => (params: unknown) => Promise.resolve(handle(method, params));
    const extensions = { extMethod: handle, extNotification: handle };
    if (side === 'agent') {
      const agent = {
        initialize: call('initialize'),
        authenticate: call('authenticate'),
        newSession: call('session/new'),
        loadSession: call('session/load'),
        prompt: call('session/prompt'),
        setSessionMode: call('session/set_mode'),
        cancel: call('session/cancel'),
        ...extensions,
      };
      const connection = new sdk.AgentSideConnection(() => agent as never, stream);
      return { ask: () => connection.readTextFile({ sessionId: 's', path: '/a' }), closed: connection.closed };
    }
    const client = {
      requestPermission: call('session/request_permission'),
      readTextFile: call('fs/read_text_file'),
      writeTextFile: call('fs/write_text_file'),
      createTerminal: call('terminal/create'),
      terminalOutput: call('terminal/output'),
      sessionUpdate: call('session/update'),
      ...extensions,
    };
    const connection = new sdk.ClientSideConnection(() => client as never, stream);
    return { ask: () => connection.extMethod('_vendor/ask', {}), closed: connection.closed };
  };
}

/** A program whose other side is the test. It is connected again after its connection has ended. */
export class WatchedProgram {
  readonly #sdk: Sdk;
  readonly #program: Program;
  readonly #isAgent: boolean;
  #observed = this.#nothing();
  #write: ((text: string) => Promise<void>) | undefined;
  #done: () => void = () => undefined;
  #end: () => void = () => undefined;
  #asked = -1;
  #isAsking = false;
  #ask: () => Promise<unknown> = () => Promise.resolve();

  constructor(sdk: Sdk, program: Program, side: 'agent' | 'client') {
    this.#sdk = sdk;
    this.#program = program;
    this.#isAgent = side === 'agent';
  }

  /** The id of the request that the program waits for. */
  get asked(): number {
    return this.#asked;
  }

  /** Whether it waits for the same request as another program, or both for none. */
  isInStep(other: WatchedProgram): boolean {
    return (
      this.#isAsking === other.#isAsking &&
      this.#asked === other.#asked &&
      (this.#write === undefined) === (other.#write === undefined)
    );
  }

  /** Connects it if it is not connected, and lets it send a request if it waits for none. */
  async prepare(): Promise<void> {
    const isNew = this.#write === undefined;
    if (isNew) this.#connect();
    else if (this.#isAsking) return;
    this.#isAsking = true;
    const write = this.#write;
    const settle = (end: unknown): void => {
      if (this.#write !== write) return;
      this.#isAsking = false;
      this.#observed.settled = end;
    };
    this.#ask().then(
      (result) => settle(['result', result]),
      (error: unknown) => settle(['error', (error as { readonly code?: number }).code]),
    );
    await this.receive(isNew && this.#isAgent ? initialize : '');
  }

  /** Sends it one frame, and waits until it was handled. */
  async receive(frame: string): Promise<Observed> {
    this.#observed = this.#nothing();
    const done = new Promise<void>((resolve) => (this.#done = resolve));
    await this.#write?.(`${frame}\n${last}`);
    await done;
    // Handlers of answers run in later microtasks.
    await new Promise((resolve) => setImmediate(resolve));
    return this.#observed;
  }

  /** Drops the connection; the next frame opens another one. */
  disconnect(): void {
    this.#write = undefined;
    this.#end();
  }

  #nothing() {
    return {
      calls: [] as [string, unknown][],
      answers: [] as [unknown, unknown][],
      settled: undefined as unknown,
      isClosed: false,
    };
  }

  #connect(): void {
    const input = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 99 }, { highWaterMark: 99 });
    const writer = input.writable.getWriter();
    const write = (line: string): Promise<void> => writer.write(encoder.encode(line)).catch(() => undefined);
    const decoder = new TextDecoder();
    const output = new WritableStream<Uint8Array>({
      write: (bytes) => {
        if (this.#write !== write) return;
        for (const line of decoder.decode(bytes).split('\n'))
          if (line !== '') this.#written(JSON.parse(line) as Written);
      },
    });
    this.#write = write;
    this.#end = () => void writer.close().catch(() => undefined);
    this.#isAsking = false;
    this.#asked = -1;
    const { ask, closed } = this.#program(this.#sdk.ndJsonStream(output, input.readable), (method, params) => {
      if (method !== '_last' && method !== 'last') this.#observed.calls.push([method, structuredClone(params)]);
      return results[method] ?? {};
    });
    this.#ask = ask;
    void closed.then(() => {
      if (this.#write !== write) return;
      this.#observed.isClosed = true;
      this.#write = undefined;
      this.#done();
    });
  }

  #written({ id, method, error }: Written): void {
    if (method !== undefined) {
      if (typeof id === 'number') this.#asked = id;
    } else if (id === lastId) this.#done();
    else this.#observed.answers.push([id, error?.code ?? 'result']);
  }
}
