import { restored, sheltered } from '@turnwire/machine';
import type { Transport } from '@turnwire/protocol';

/** Messages whose integers belong to the protocol. The peer checks them, and an overflowing counter must not make it refuse the message. */
const counts = /"(?:usage_update|terminal\/create|elicitation\/create)"/;

/** Makes a transport that keeps integers above 2^53, for a peer that passes messages on. */
export function exactTransport(transport: Transport): Transport {
  return {
    start: (receiver) =>
      transport.start({
        frame: (text, about) => {
          const exact = sheltered(text);
          if (exact === text || counts.test(text)) return receiver.frame(text, about);
          // The transport parsed the frame before, with rounded integers.
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
