import type { SessionNotification } from '@turnwire/protocol';
import type { ByteStreams, Contender } from '../contender.ts';
import { FloorPeer } from '../floor-peer.ts';
import { floorOver } from '../floor.ts';
import { answerOf, V2BenchClient } from './script.ts';

const sendAll: Parameters<typeof answerOf>[2]['sendAll'] = async (send, updates, count) => {
  for (let sent = 0; sent < count; sent++) {
    const room = send(updates[sent % updates.length]!) as Promise<void> | undefined;
    if (room !== undefined) await room;
  }
};

function serve(bytes: ByteStreams): void {
  const handle = (method: string) => (params: unknown, peer: FloorPeer) =>
    answerOf(method, params, { send: (update) => peer.notify('session/update', update), sendAll });
  const handlers = ['initialize', 'session/new', 'session/prompt'].map((method) => [method, handle(method)]);
  floorOver(bytes, (write) => new FloorPeer(write, Object.fromEntries(handlers) as never));
}

export const floor: Contender = {
  serve,
  serveStdio: () => serve({ input: process.stdin, output: process.stdout }),
  connect: (bytes, onUpdate) => {
    const client = new V2BenchClient(onUpdate);
    const handlers = { 'session/update': ({ update }: SessionNotification) => client.received(update) };
    const peer = floorOver(bytes, (write) => new FloorPeer(write, handlers as never));
    return client.over((method, params) => peer.request(method, params));
  },
};
