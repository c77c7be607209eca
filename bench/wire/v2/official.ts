import { Readable, Writable } from 'node:stream';
import * as sdk from '@agentclientprotocol/sdk/experimental/v2';
import type { SessionUpdate } from '@turnwire/protocol';
import type { ByteStreams, Contender } from '../contender.ts';
import { answerOf, V2BenchClient } from './script.ts';

/** Bytes of updates that are sent before they are awaited together, as in version 1. */
const burstBytes = 64 * 1024;

function streamOver({ input, output }: ByteStreams): sdk.Stream {
  return sdk.ndJsonStream(Writable.toWeb(output), Readable.toWeb(input) as ReadableStream<Uint8Array>);
}

const sendAll: Parameters<typeof answerOf>[2]['sendAll'] = async (send, updates, count) => {
  const burst = Math.max(1, Math.floor(burstBytes / JSON.stringify(updates[0]).length));
  for (let sent = 0; sent < count;) {
    const end = Math.min(count, sent + burst);
    const pending: unknown[] = [];
    for (; sent < end; sent++) pending.push(send(updates[sent % updates.length]!));
    await Promise.all(pending);
  }
};

function serve(bytes: ByteStreams): void {
  const app = sdk.agent();
  type Received = { readonly params: unknown; readonly client: { notify(method: string, params: object): unknown } };
  const registry = app as unknown as { onRequest(method: string, handle: (received: Received) => object): unknown };
  for (const method of ['initialize', 'session/new', 'session/prompt'])
    registry.onRequest(method, ({ params, client }) =>
      answerOf(method, params, { send: (update) => client.notify('session/update', update), sendAll }),
    );
  app.connect(streamOver(bytes));
}

export const official: Contender = {
  serve,
  serveStdio: () => serve({ input: process.stdin, output: process.stdout }),
  connect: (bytes, onUpdate) => {
    const client = new V2BenchClient(onUpdate);
    const { agent } = sdk
      .client()
      .onNotification('session/update', ({ params }) => client.received(params.update as unknown as SessionUpdate))
      .connect(streamOver(bytes));
    return client.over((method, params) => agent.request(method as never, params as never));
  },
};
