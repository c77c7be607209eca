import type { Transport, TransportWarning } from '@turnwire/protocol';

/**
 * Sees every frame of a connection as it stands on the wire, in order. Must not throw. A promise for a frame that came in holds the frames
 * behind it back: for one who writes them to somewhere slow.
 */
export type FrameTap = (direction: 'in' | 'out', frame: string) => Promise<void> | undefined | void;

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
          const tapping = tap?.('in', text);
          const handling = receiver.frame(text, about);
          return tapping && handling ? Promise.all([tapping, handling]).then(() => undefined) : (tapping ?? handling);
        },
        warning: (report) => {
          onWarning?.(report);
          receiver.warning(report);
        },
        end: (reason) => receiver.end(reason),
      }),
    send: (frame, about) => {
      void tap?.('out', frame);
      return transport.send(frame, about);
    },
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
