import { isDeepStrictEqual } from 'node:util';
import * as official from '@agentclientprotocol/sdk/experimental/v2';
import { connectAgent, connectClient, type FrameReceiver, type Transport } from '@turnwire/protocol';
import { v2 } from '@turnwire/protocol/v2';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { until } from '../peer/test-wire.ts';
import { officialStream } from './official-stream.ts';
import { agreed, introduction } from './v2-pair.ts';

/* One conversation between two of our peers, two official ones, and one of each. Both directions carry the same messages. */

/** Calls of the other side. Both packages have them under these names; the option for the signal has a name in each. */
interface Caller {
  request(method: string, params: object, options?: object): Promise<unknown>;
  notify(method: string, params: object): Promise<unknown>;
}

interface Context {
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

type Handlers = Readonly<Record<string, (params: never, context: Context) => unknown>>;

const notifications = new Set(['session/cancel', 'session/update']);

function ourHandlers(handlers: Handlers): object {
  type Ours = { readonly peer: Caller; readonly signal: AbortSignal };
  const entries = Object.entries(handlers).map(([method, handle]) => [
    method,
    (params: never, { peer, signal }: Ours) => handle(params, { caller: peer, signal }),
  ]);
  return Object.fromEntries(entries) as object;
}

/** Registers handlers with an official agent or client. */
function register(app: unknown, handlers: Handlers): void {
  type Official = {
    readonly params: never;
    readonly client?: Caller;
    readonly agent?: Caller;
    readonly signal: AbortSignal;
  };
  type On = (method: string, handler: (context: Official) => unknown) => void;
  const { onRequest, onNotification } = app as { readonly onRequest: On; readonly onNotification: On };
  for (const [method, handle] of Object.entries(handlers)) {
    const on = notifications.has(method) ? onNotification : onRequest;
    on.call(app, method, ({ params, client, agent, signal }) =>
      handle(params, { caller: (client ?? agent) as Caller, signal }),
    );
  }
}

const ends = {
  ours: {
    agent: (end: Transport, handlers: Handlers) =>
      void connectAgent(end, ourHandlers(handlers) as never, { edition: v2 }),
    client: (end: Transport, handlers: Handlers) =>
      connectClient(end, ourHandlers(handlers) as never, { edition: v2 }) as unknown as Caller,
  },
  official: {
    agent: (end: Transport, handlers: Handlers) => {
      const app = official.agent();
      register(app, handlers);
      app.connect(officialStream(end));
    },
    client: (end: Transport, handlers: Handlers) => {
      const app = official.client();
      register(app, handlers);
      return app.connect(officialStream(end)).agent as unknown as Caller;
    },
  },
};

/** An end of a connection that records what is sent, without what the two packages may choose: ids and the text of errors. */
function recorded(end: Transport, sent: unknown[]): Transport {
  return {
    start: (receiver: FrameReceiver) => end.start(receiver),
    send(text, about) {
      const { method, params, result, error } = JSON.parse(text) as {
        readonly method?: string;
        readonly params?: unknown;
        readonly result?: unknown;
        readonly error?: { readonly code: number };
      };
      if (method === '$/cancel_request') sent.push(method);
      else if (method !== undefined) sent.push({ method, params });
      else sent.push(error === undefined ? { result } : { code: error.code });
      return end.send(text, about);
    },
    close: () => end.close(),
    [Symbol.asyncDispose]: () => end.close(),
  };
}

const state = (name: string, stopReason?: string): object => ({
  sessionUpdate: 'state_update',
  state: name,
  ...(stopReason && { stopReason }),
});
const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const call = (status: string): object => ({ sessionUpdate: 'tool_call_update', toolCallId: 't', status });

/** An agent that acknowledges a prompt and asks for a permission afterwards. */
function agentHandlers(): Handlers {
  let foreground = new AbortController();
  let prompts = 0;
  const work = async (say: (update: object) => Promise<unknown>, client: Caller): Promise<void> => {
    const { signal } = foreground;
    await say(state('running'));
    await say({ ...call('pending'), title: 'Delete' });
    await say(state('requires_action'));
    const question = {
      sessionId: 's',
      title: 'Delete it?',
      subject: { type: 'tool_call', toolCall: { toolCallId: 't' } },
      options,
    };
    const answered = await client
      .request('session/request_permission', question, { signal, cancellationSignal: signal })
      .catch(() => undefined);
    const isAllowed = JSON.stringify(answered).includes('yes');
    await say(call(isAllowed ? 'completed' : 'cancelled'));
    await say(state('idle', signal.aborted ? 'cancelled' : 'end_turn'));
  };
  return {
    initialize: () => agreed,
    'session/new': async (_, { caller }) => {
      await caller.notify('session/update', {
        sessionId: 's',
        update: { sessionUpdate: 'session_info_update', title: 'early' },
      });
      return { sessionId: 's' };
    },
    'session/prompt': async ({ prompt }: { readonly prompt: readonly object[] }, { caller }) => {
      const messageId = `m${++prompts}`;
      const say = (update: object): Promise<unknown> => caller.notify('session/update', { sessionId: 's', update });
      await say({ sessionUpdate: 'user_message', messageId, content: prompt });
      foreground = new AbortController();
      setTimeout(() => void work(say, caller), 0);
      return { messageId };
    },
    'session/cancel': () => foreground.abort(),
    'session/close': () => ({}),
  };
}

/** A client that says yes to the first question, and lets the second be cancelled. */
function clientHandlers(events: unknown[]): Handlers {
  let questions = 0;
  return {
    'session/update': ({ update }: { readonly update: object }) => void events.push(update),
    'session/request_permission': async ({ title }: { readonly title: string }, { signal }) => {
      events.push(title);
      if (++questions === 1) return { outcome: { outcome: 'selected', optionId: 'yes' } };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { outcome: { outcome: 'cancelled' } };
    },
  };
}

const prompt = (text: string): object => ({ sessionId: 's', prompt: [{ type: 'text', text }] });

async function converse(agent: Caller, events: readonly unknown[]): Promise<void> {
  const has = (event: unknown) => () => isDeepStrictEqual(events.at(-1), event);
  await agent.request('initialize', introduction);
  await agent.request('session/new', { cwd: '/' });
  await agent.request('session/prompt', prompt('first'));
  await until(has(state('idle', 'end_turn')));
  await agent.request('session/prompt', prompt('second'));
  await until(has('Delete it?'));
  await agent.notify('session/cancel', { sessionId: 's' });
  await until(has(state('idle', 'cancelled')));
  await agent.request('session/delete', { sessionId: 's' }).catch(() => undefined);
  await agent.request('session/close', { sessionId: 's' });
}

const question = {
  method: 'session/request_permission',
  params: {
    sessionId: 's',
    title: 'Delete it?',
    subject: { type: 'tool_call', toolCall: { toolCallId: 't' } },
    options,
  },
};
const update = (each: object): object => ({ method: 'session/update', params: { sessionId: 's', update: each } });
const echo = (messageId: string, text: string): object =>
  update({ sessionUpdate: 'user_message', messageId, content: [{ type: 'text', text }] });
const asking = [
  update(state('running')),
  update({ ...call('pending'), title: 'Delete' }),
  update(state('requires_action')),
  question,
];

const fromClient = [
  { method: 'initialize', params: introduction },
  { method: 'session/new', params: { cwd: '/' } },
  { method: 'session/prompt', params: prompt('first') },
  { result: { outcome: { outcome: 'selected', optionId: 'yes' } } },
  { method: 'session/prompt', params: prompt('second') },
  { method: 'session/cancel', params: { sessionId: 's' } },
  { result: { outcome: { outcome: 'cancelled' } } },
  { method: 'session/delete', params: { sessionId: 's' } },
  { method: 'session/close', params: { sessionId: 's' } },
];
const fromAgent = [
  { result: agreed },
  update({ sessionUpdate: 'session_info_update', title: 'early' }),
  { result: { sessionId: 's' } },
  echo('m1', 'first'),
  { result: { messageId: 'm1' } },
  ...asking,
  update(call('completed')),
  update(state('idle', 'end_turn')),
  echo('m2', 'second'),
  { result: { messageId: 'm2' } },
  ...asking,
  '$/cancel_request',
  update(call('cancelled')),
  update(state('idle', 'cancelled')),
  { code: -32601 },
  { result: {} },
];

test.each([
  ['ours', 'ours'],
  ['ours', 'official'],
  ['official', 'ours'],
  ['official', 'official'],
] as const)('a client of %s and an agent of %s exchange the same messages', async (clientKind, agentKind) => {
  const [agentEnd, clientEnd] = memoryPair();
  const sent = { client: [] as unknown[], agent: [] as unknown[] };
  const events: unknown[] = [];
  ends[agentKind].agent(recorded(agentEnd, sent.agent), agentHandlers());
  const agent = ends[clientKind].client(recorded(clientEnd, sent.client), clientHandlers(events));
  await converse(agent, events);
  expect(sent).toEqual({ client: fromClient, agent: fromAgent });
  await clientEnd.close();
});
