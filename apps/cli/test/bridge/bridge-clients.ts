import * as older from '@agentclientprotocol/sdk';
import * as newer from '@agentclientprotocol/sdk/experimental/v2';
import { within } from '../../../../tools/pace.ts';

/** A message of the agent, as the client received it. */
export type Received = Readonly<Record<string, unknown>>;

/** A client of one connection. It allows everything, fills in each form, and has a terminal if its version knows those of clients. */
export interface BridgeClient {
  /** The agreed version. */
  readonly version: number;
  /** The answer to `initialize`. */
  readonly introduction: Received;
  /** The updates and requests of the agent, in order. */
  readonly received: readonly Received[];
  readonly call: (method: string, params: object) => Promise<Received>;
  readonly notify: (method: string, params: object) => Promise<unknown>;
  /** Holds back the answers to permission requests until it is called again. */
  readonly hold: () => () => void;
  readonly close: () => Promise<unknown>;
}

/** Sends messages. */
interface Wire {
  readonly request: (method: string, params: object) => Promise<unknown>;
  readonly notify: (method: string, params: object) => Promise<unknown>;
  readonly close: () => unknown;
}

/** Receives messages: `answer` returns the result of a request. */
interface Ears {
  readonly note: (method: string, params: Received) => void;
  readonly answer: (method: string, params: Received) => Promise<object>;
}

export type Stream = older.Stream;

const info = { name: 'bridge', version: '1.0.0' };
const elicitation = { form: {} };
const asVersion1 = {
  clientInfo: info,
  clientCapabilities: { fs: { readTextFile: true }, terminal: true, elicitation },
};
const asVersion2 = { info, capabilities: { elicitation } };

const results = {
  'elicitation/create': { action: 'accept', content: { colour: 'red' } },
  'terminal/create': { terminalId: 'of-client' },
  'terminal/wait_for_exit': { exitCode: 0, signal: null },
  'terminal/output': { output: 'done', truncated: false },
  'terminal/release': {},
  'fs/read_text_file': { content: '' },
};

/** The first two are those of version 2. */
const requests = ['session/request_permission', ...Object.keys(results)];

/** The versions that a client or an agent speaks. */
export type Spoken = '1' | '2' | 'both';

interface Client {
  /** The parameters of `initialize`. */
  readonly initialize: object;
  readonly connect: (stream: Stream, ears: Ears) => Wire;
}

/** The three clients: two made with the official package, and one that writes its frames itself and offers both versions. */
const clients: Readonly<Record<Spoken, Client>> = {
  1: {
    initialize: { protocolVersion: 1, ...asVersion1 },
    connect: official(() => older.client({ name: 'bridge' }), requests),
  },
  2: {
    initialize: { protocolVersion: 2, ...asVersion2 },
    connect: official(() => newer.client(), requests.slice(0, 2)),
  },
  both: { initialize: { protocolVersion: 2, ...asVersion1, ...asVersion2 }, connect: raw },
};

/** Connects a client and initializes. */
export async function bridgeClient(spoken: Spoken, stream: Stream): Promise<BridgeClient> {
  const received: Received[] = [];
  let held: Promise<void> | undefined;
  const wire = clients[spoken].connect(stream, {
    note: (method, params) => void received.push({ method, ...params }),
    answer: async (method, params) => {
      received.push({ method, ...params });
      if (method !== 'session/request_permission') return results[method as keyof typeof results];
      await held;
      const options = params['options'] as readonly { readonly kind: string; readonly optionId: string }[];
      return {
        outcome: { outcome: 'selected', optionId: options.find(({ kind }) => kind === 'allow_once')?.optionId },
      };
    },
  });
  const call = wire.request as BridgeClient['call'];
  const introduction = await call('initialize', clients[spoken].initialize);
  return {
    version: introduction['protocolVersion'] as number,
    introduction,
    received,
    call,
    notify: wire.notify,
    hold: () => {
      let release = (): void => undefined;
      held = new Promise((resolve) => (release = resolve));
      return release;
    },
    close: async () => wire.close(),
  };
}

/** @param handled the requests that the client answers */
function official(app: () => object, handled: readonly string[]) {
  type On = (method: string, handler: (context: { readonly params: Received }) => unknown) => void;
  interface App {
    readonly onRequest: On;
    readonly onNotification: On;
    connect(stream: Stream): { readonly agent: Omit<Wire, 'close'>; readonly close: () => unknown };
  }
  return (stream: Stream, { note, answer }: Ears): Wire => {
    const made = app() as App;
    made.onNotification.call(made, 'session/update', ({ params }) => note('session/update', params));
    for (const method of handled) made.onRequest.call(made, method, ({ params }) => answer(method, params));
    const connection = made.connect(stream);
    const { agent } = connection;
    return {
      request: (method, params) => agent.request(method, params),
      notify: (method, params) => agent.notify(method, params),
      close: () => connection.close(),
    };
  };
}

/** Frames as text, without a library that knows the protocol. */
function raw({ readable, writable }: Stream, { note, answer }: Ears): Wire {
  type Message = Received & { readonly id?: number; readonly method?: string; readonly params?: Received };
  const writer = writable.getWriter();
  const reader = readable.getReader();
  const pending = new Map<number, (message: Message) => void>();
  const write = (message: object): Promise<void> => writer.write({ jsonrpc: '2.0', ...message } as never);
  void (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const { id, method, params = {}, ...rest } = next.value as unknown as Message;
      if (method === undefined) pending.get(id ?? -1)?.(rest);
      else if (id === undefined) note(method, params);
      else void answer(method, params).then((result) => write({ id, result }));
    }
  })().catch(() => undefined);
  let last = 0;
  return {
    notify: (method, params) => write({ method, params }),
    request: async (method, params) => {
      const id = ++last;
      const { result, error } = await new Promise<Message>((resolve) => {
        pending.set(id, resolve);
        void write({ id, method, params });
      });
      if (error) throw Object.assign(new Error('refused'), error);
      return result;
    },
    close: () => writer.close(),
  };
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + within(20_000);
  while (!holds()) {
    if (Date.now() > end) throw new Error('the condition never held');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
