import type { Transport } from '@turnwire/protocol';

/** Removes the first frame that arrives, which must be `initialize` on a server, from a transport. */
export function afterFirst(transport: Transport, first: () => void = () => undefined): Transport {
  let isFirst = true;
  return {
    start: (receiver) =>
      transport.start({
        frame: (text, about) => {
          if (!isFirst) return receiver.frame(text, about);
          isFirst = false;
          return void first();
        },
        warning: (report) => receiver.warning(report),
        end: (reason) => receiver.end(reason),
      }),
    send: (frame) => transport.send(frame),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
