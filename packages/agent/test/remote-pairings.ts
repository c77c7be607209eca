import type { ChildProcessByStdio } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import {
  agent as officialAgent,
  type AgentApp,
  client as officialClient,
  ndJsonStream,
  type RequestPermissionResponse,
  type Stream,
} from '@agentclientprotocol/sdk';
import { connectClient, type InitializeRequest, protocolVersion, type Transport } from '@turnwire/protocol';
import { expect } from 'vitest';
import { type AgentDefinition, memoryStore } from '../src/index.ts';

/** What a client saw of an agent: a turn with a permission request, a turn that it cancelled, and a replay on a new connection. */
export interface Seen {
  readonly permission: string;
  readonly stopReasons: readonly string[];
  readonly live: readonly string[];
  readonly replayed: readonly string[];
}

/** What every client has to see of every agent. */
export const wholeTurns: Seen = {
  permission: 'May it run?',
  stopReasons: ['end_turn', 'cancelled'],
  live: ['allowed yes', 'waiting'],
  replayed: ['first', 'allowed yes', 'second', 'waiting'],
};

const begin = { cwd: '/', mcpServers: [] };
const hello: InitializeRequest = { protocolVersion, clientCapabilities: {} };
const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' as const }];

/** Our agent: `first` asks for permission, `second` waits for its cancel. */
export function ourDefinition(): AgentDefinition {
  return {
    info: { name: 'ours', version: '1.0.0' },
    store: memoryStore(),
    prompt: async (turn) => {
      if (turn.text === 'first') {
        const tool = turn.tool({ title: 'May it run?' });
        const { option } = await turn.askPermission(tool, options);
        await tool.complete();
        return void (await turn.say(`allowed ${option?.optionId}`));
      }
      await turn.say('waiting');
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    },
  };
}

type Chunk = 'user_message_chunk' | 'agent_message_chunk';

/** The same agent, made with the official SDK. */
export function officialDefinition(): AgentApp {
  const history: {
    readonly sessionUpdate: Chunk;
    readonly content: { readonly type: 'text'; readonly text: string };
  }[] = [];
  let cancel = (): void => undefined;
  return officialAgent({ name: 'official' })
    .onRequest('initialize', () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }))
    .onRequest('session/new', () => ({ sessionId: 'one' }))
    .onRequest('session/load', async ({ params: { sessionId }, client }) => {
      for (const update of history) await client.notify('session/update', { sessionId, update });
      return {};
    })
    .onNotification('session/cancel', () => cancel())
    .onRequest('session/prompt', async ({ params: { sessionId, prompt }, client }) => {
      const say = async (text: string, sessionUpdate: Chunk = 'agent_message_chunk'): Promise<void> => {
        const update = { sessionUpdate, content: { type: 'text' as const, text } };
        history.push(update);
        if (sessionUpdate === 'agent_message_chunk') await client.notify('session/update', { sessionId, update });
      };
      const { text } = prompt[0] as { readonly text: string };
      await say(text, 'user_message_chunk');
      if (text === 'first') {
        const toolCall = { toolCallId: 'call', title: 'May it run?' };
        const { outcome } = await client.request<RequestPermissionResponse>('session/request_permission', {
          sessionId,
          toolCall,
          options,
        });
        await say(`allowed ${outcome.outcome === 'selected' ? outcome.optionId : ''}`);
        return { stopReason: 'end_turn' as const };
      }
      const cancelled = new Promise<void>((resolve) => (cancel = resolve));
      await say('waiting');
      await cancelled;
      return { stopReason: 'cancelled' as const };
    });
}

interface Calls {
  readonly request: (method: string, params: object) => Promise<unknown>;
  readonly notify: (method: string, params: object) => Promise<void>;
}

/** What a client collects, and does when something arrives. */
class Watch {
  readonly texts: string[] = [];
  permission = '';
  waiting: () => void = () => undefined;

  update({ content }: { readonly content?: unknown }): void {
    const { text } = (content ?? {}) as { readonly text?: string };
    if (text === undefined) return;
    this.texts.push(text);
    if (text === 'waiting') this.waiting();
  }
}

/** Goes through it all, with a client over each of two connections. */
async function goThrough(
  isOrdered: boolean,
  connect: (watch: Watch, work: (calls: Calls) => Promise<void>) => Promise<void>,
): Promise<Seen> {
  const live = new Watch();
  const stopReasons: string[] = [];
  let sessionId = '';
  await connect(live, async ({ request, notify }) => {
    const prompt = async (text: string): Promise<void> => {
      const answer = await request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
      stopReasons.push((answer as { stopReason: string }).stopReason);
    };
    await request('initialize', hello);
    ({ sessionId } = (await request('session/new', begin)) as { sessionId: string });
    await prompt('first');
    live.waiting = () => void notify('session/cancel', { sessionId });
    await prompt('second');
  });
  const later = new Watch();
  let replayed: readonly string[] = [];
  await connect(later, async ({ request }) => {
    await request('initialize', hello);
    await request('session/load', { sessionId, ...begin });
    // Over HTTP the answer uses another stream than the replay. Our client waits for it; the official one guarantees no order.
    if (!isOrdered) await expect.poll(() => later.texts.length).toBe(wholeTurns.replayed.length);
    replayed = [...later.texts];
  });
  return { permission: live.permission, stopReasons, live: live.texts, replayed };
}

/** Our client, over transports made by the function. `isOrdered`: an answer follows the replay. */
export function withOurClient(open: () => Transport, isOrdered = true): Promise<Seen> {
  return goThrough(isOrdered, async (watch, work) => {
    const peer = connectClient(open(), {
      'session/update': ({ update }) => watch.update(update as { content?: unknown }),
      'session/request_permission': ({ toolCall }) => {
        watch.permission = toolCall.title ?? '';
        return { outcome: { outcome: 'selected', optionId: 'yes' } };
      },
    });
    await work({
      request: (method, params) => peer.request(method as never, params as never),
      notify: (method, params) => peer.notify(method as never, params as never),
    });
    await peer.close();
  });
}

/** The client of the official SDK, over streams made by the function. */
export function withOfficialClient(open: () => Stream | Promise<Stream>): Promise<Seen> {
  return goThrough(false, async (watch, work) => {
    const app = officialClient({ name: 'official' })
      .onNotification('session/update', ({ params }) => watch.update(params.update as { content?: unknown }))
      .onRequest('session/request_permission', ({ params }) => {
        watch.permission = params.toolCall.title ?? '';
        return { outcome: { outcome: 'selected', optionId: 'yes' } };
      });
    await app.connectWith(await open(), (agent) =>
      work({
        request: (method, params) => agent.request(method as never, params as never),
        notify: (method, params) => agent.notify(method as never, params as never),
      }),
    );
  });
}

/** What the official SDK speaks to an agent's process over. */
export function officialStream({ stdin, stdout }: ChildProcessByStdio<Writable, Readable, null>): Stream {
  return ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>);
}
