import type { Transport, TransportTrouble } from '@turnwire/protocol';
import type { FrameTap } from '@turnwire/transports/trace';

/** Who hears what: frames, and what is no frame. */
export interface Listeners {
  readonly tap?: FrameTap | undefined;
  readonly onTrouble?: ((report: TransportTrouble) => void) | undefined;
}

/** The same transport, overheard. */
export function tapped(transport: Transport, { tap, onTrouble }: Listeners): Transport {
  return {
    start: (receiver) =>
      transport.start({
        frame: (text, about) => {
          tap?.('in', text);
          return receiver.frame(text, about);
        },
        trouble: (report) => {
          onTrouble?.(report);
          receiver.trouble(report);
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
