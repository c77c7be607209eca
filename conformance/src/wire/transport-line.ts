import type { Transport } from '@turnwire/protocol';
import type { Line } from './line.ts';

/** Talks over a transport, for subjects that are not our processes. There are no bytes and no process to observe. */
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
