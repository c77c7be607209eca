import { RelayedFrames, type Transport } from '@turnwire/protocol';
import type { Line } from './line.ts';

/**
 * Talks over a transport, for subjects that are not our processes. There are no bytes and no process to observe.
 * @param readsFrames whether the transport gets what each frame of ours is, which one over HTTP has to know. Default: it does not
 */
export function transportLine(
  transport: Transport,
  { readsFrames = false }: { readonly readsFrames?: boolean } = {},
): Line {
  const frames = readsFrames ? new RelayedFrames() : undefined;
  let lastWords = '';
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
          lastWords = reason?.message ?? '';
          receiver.end();
        },
      }),
    send: (text) => void transport.send(text, frames?.read('client', text)),
    lastWords: () => lastWords,
    close: async () => transport[Symbol.asyncDispose](),
  };
}
