import { RelayedFrames, type Transport } from '@turnwire/protocol';
import type { Line } from './line.ts';

/**
 * Adapts a transport, for subjects that are not our processes. There are no bytes and no process to observe.
 * @param readsFrames whether the transport receives the kind of each frame that we send, which a transport over HTTP needs. Default false
 */
export function transportLine(
  transport: Transport,
  { readsFrames = false }: { readonly readsFrames?: boolean } = {},
): Line {
  const frames = readsFrames ? new RelayedFrames() : undefined;
  let lastOutput = '';
  return {
    start: (receiver) =>
      transport.start({
        frame: (text) => {
          frames?.read('agent', text);
          receiver.text(text);
          return undefined;
        },
        warning: ({ excerpt = '' }) => receiver.text(excerpt),
        end: (reason) => {
          lastOutput = reason?.message ?? '';
          receiver.end();
        },
      }),
    send: (text) => void transport.send(text, frames?.read('client', text)),
    lastOutput: () => lastOutput,
    close: async () => transport[Symbol.asyncDispose](),
  };
}
