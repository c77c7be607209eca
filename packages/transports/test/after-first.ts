import type { Transport } from '@turnwire/protocol';

/** A transport after `initialize`, which has to come first on a server: the first frame that arrives is taken out. */
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
