import type { AnyMessage, Stream } from '@agentclientprotocol/sdk/experimental/v2';
import type { Transport } from '@turnwire/protocol';

/** An end of a connection in the form the official package takes. */
export function officialStream(end: Transport): Stream {
  return {
    readable: new ReadableStream<AnyMessage>({
      start(controller) {
        end.start({
          frame: (text) => void controller.enqueue(JSON.parse(text) as AnyMessage),
          warning: () => undefined,
          end: () => controller.close(),
        });
      },
    }),
    writable: new WritableStream<AnyMessage>({ write: (message) => end.send(JSON.stringify(message)) }),
  };
}
