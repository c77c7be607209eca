import type { Transport, TransportWarning } from '@turnwire/protocol';

/** Sees every frame of a connection as it stands on the wire, in order. Must not throw. */
export type FrameTap = (direction: 'in' | 'out', frame: string) => void;

/** Listeners for frames, and for data that is not a frame. */
export interface Listeners {
  readonly tap?: FrameTap | undefined;
  readonly onWarning?: ((report: TransportWarning) => void) | undefined;
}

/** The same transport, with listeners. */
export function tapped(transport: Transport, { tap, onWarning }: Listeners): Transport {
  return {
    start: (receiver) =>
      transport.start({
        frame: (text, about) => {
          tap?.('in', text);
          return receiver.frame(text, about);
        },
        warning: (report) => {
          onWarning?.(report);
          receiver.warning(report);
        },
        end: (reason) => receiver.end(reason),
      }),
    send: (frame, about) => {
      tap?.('out', frame);
      return transport.send(frame, about);
    },
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
