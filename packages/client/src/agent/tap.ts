import type { Transport, TransportTrouble } from '@agentwire/protocol';

/** Sees every frame of a connection as it stands on the wire, in order. Must not throw. */
export type FrameTap = (direction: 'in' | 'out', frame: string) => void;

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
        frame: (text) => {
          tap?.('in', text);
          return receiver.frame(text);
        },
        trouble: (report) => {
          onTrouble?.(report);
          receiver.trouble(report);
        },
        end: (reason) => receiver.end(reason),
      }),
    send: (frame) => {
      tap?.('out', frame);
      return transport.send(frame);
    },
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
