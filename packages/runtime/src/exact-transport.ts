import { restored, sheltered } from '@turnwire/machine';
import type { Transport } from '@turnwire/protocol';

/** Whose integers are of the protocol itself: they are checked, and a counter that has run over is not worth a refused message. */
const counts = /"(?:usage_update|terminal\/create|elicitation\/create)"/;

/** A transport whose frames keep integers above 2^53, for a peer that passes on what they are in. */
export function exactTransport(transport: Transport): Transport {
  return {
    start: (receiver) =>
      transport.start({
        frame: (text, about) => {
          const exact = sheltered(text);
          if (exact === text || counts.test(text)) return receiver.frame(text, about);
          // What the transport has parsed is rounded.
          return receiver.frame(exact, about && { ...about, message: undefined });
        },
        warning: (report) => receiver.warning(report),
        end: (reason) => receiver.end(reason),
      }),
    send: (frame, about) => transport.send(restored(frame), about),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
