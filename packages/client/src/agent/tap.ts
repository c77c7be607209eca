import type { Transport } from '@agentwire/protocol';

/** Sees every frame of a connection as it stands on the wire, in order. Must not throw. */
export type FrameTap = (direction: 'in' | 'out', frame: string) => void;

/** The same transport, overheard. */
export function tapped(transport: Transport, tap: FrameTap): Transport {
  return {
    start: (receiver) =>
      transport.start({
        frame: (text) => {
          tap('in', text);
          return receiver.frame(text);
        },
        trouble: (report) => receiver.trouble(report),
        end: (reason) => receiver.end(reason),
      }),
    send: (frame) => {
      tap('out', frame);
      return transport.send(frame);
    },
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
