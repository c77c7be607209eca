import { connectAgent, connectClient, type Handlers, type SessionUpdate, type Transport } from '@turnwire/protocol';
import { v2, type V2 } from '@turnwire/protocol/v2';
import { serveStdio, stdioTransport } from '@turnwire/transports/stdio';
import type { Contender } from '../contender.ts';
import type { SendUpdate } from '../script.ts';
import { answerOf, V2BenchClient } from './script.ts';

function serveOver(transport: Transport): void {
  const handle = (method: string) => (params: unknown) => answerOf(method, params, { send, sendAll });
  const handlers = Object.fromEntries(
    ['initialize', 'session/new', 'session/prompt'].map((method) => [method, handle(method)]),
  );
  const peer = connectAgent(transport, handlers as Handlers<'agent', V2>, { edition: v2 });
  const send: SendUpdate = (params) => peer.notify('session/update', params as never);
}

/** Awaits each update, as the documentation recommends. */
const sendAll: Parameters<typeof answerOf>[2]['sendAll'] = async (send, updates, count) => {
  for (let sent = 0; sent < count; sent++) await send(updates[sent % updates.length]!);
};

export const turnwire: Contender = {
  serve: (bytes) => serveOver(stdioTransport(bytes)),
  serveStdio: () => serveOver(serveStdio()),
  connect: (bytes, onUpdate) => {
    const client = new V2BenchClient(onUpdate);
    const handlers = {
      'session/update': ({ update }: object & { update: unknown }) => client.received(update as SessionUpdate),
    };
    const peer = connectClient(stdioTransport({ ...bytes, noise: 'report' }), handlers as Handlers<'client', V2>, {
      edition: v2,
    });
    return client.over((method, params) => peer.request(method as 'session/prompt', params as never));
  },
};
