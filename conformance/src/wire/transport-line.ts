import type { Transport } from '@turnwire/protocol';
import type { Line } from './line.ts';

/** Speaks over a transport, for subjects that are no process of ours. There are no bytes and no process to see. */
export function transportLine(transport: Transport): Line {
  return {
    start: (receiver) =>
      transport.start({
        frame: (text) => {
          receiver.text(text);
          return undefined;
        },
        warning: ({ excerpt = '' }) => receiver.text(excerpt),
        end: () => receiver.end(),
      }),
    send: (text) => void transport.send(text),
    close: async () => transport[Symbol.asyncDispose](),
  };
}
