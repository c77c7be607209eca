import type { Transport, TransportWarning } from '@turnwire/protocol';
import type { FrameTap } from '@turnwire/transports/trace';

/** Who hears what: frames, and what is no frame. */
export interface Listeners {
  readonly tap?: FrameTap | undefined;
  readonly onWarning?: ((report: TransportWarning) => void) | undefined;
}

/** The same transport, overheard. */
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
