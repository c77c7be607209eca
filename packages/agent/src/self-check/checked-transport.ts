import type { Edition, Transport } from '@turnwire/protocol';
import { WireCheck } from './wire-check.ts';

/** A transport that checks every frame. A violation is reported, and its frame is passed on unchanged. */
export function checkedTransport(
  transport: Transport,
  edition: Edition,
  report: (violation: string) => void,
): Transport {
  const check = new WireCheck(edition, report);
  return {
    start: (receiver) =>
      transport.start({
        frame: (text, about) => {
          check.incoming(text);
          return receiver.frame(text, about);
        },
        warning: (warning) => receiver.warning(warning),
        end: (reason) => receiver.end(reason),
      }),
    send: (frame, about) => {
      check.outgoing(frame);
      return transport.send(frame, about);
    },
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
