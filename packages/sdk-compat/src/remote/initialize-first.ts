import type { FrameReceiver, Transport } from '@turnwire/protocol';
import { RequestError } from '../json-rpc/request-error.ts';

/** The fields of a message that the rules read. */
interface SentMessage {
  readonly id?: unknown;
  readonly method?: unknown;
}

/** The rules of the official server for a socket: `initialize` comes first and once, and later messages wait for its answer. */
export function initializeFirst(transport: Transport, refuse: (reason: string) => void): Transport {
  let state: 'new' | 'pending' | 'open' = 'new';
  let opened: () => void = () => undefined;
  const receiving = (receiver: FrameReceiver): FrameReceiver => ({
    frame: (text, about) => {
      if (state === 'open' && !text.includes('initialize')) return receiver.frame(text, about);
      const message = readMessage(text);
      if (state === 'open' && isInitialize(message)) {
        const { code, message: why } = new RequestError(-32600, 'Initialize not allowed on existing connection');
        return transport.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code, message: why } }));
      }
      // Only a request or a notification begins a connection.
      if (state === 'open' || message?.method === undefined) return receiver.frame(text, about);
      if (!isInitialize(message)) {
        refuse('First message must be initialize');
        return undefined;
      }
      state = 'pending';
      const answered = new Promise<void>((resolve) => (opened = resolve));
      void receiver.frame(text, about);
      return answered;
    },
    warning: (warning) => receiver.warning(warning),
    end: (reason) => {
      opened();
      receiver.end(reason);
    },
  });
  return {
    start: (receiver) => transport.start(receiving(receiver)),
    send: (text, about) => {
      const drained = transport.send(text, about);
      if (state === 'pending' && about?.kind === 'answer') {
        state = about.method === 'initialize' ? 'open' : state;
        opened();
      }
      return drained;
    },
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => Promise.resolve(transport[Symbol.asyncDispose]()),
  };
}

/** The message as an object. Undefined for anything else: the connection answers that with an error. */
function readMessage(text: string): SentMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isInitialize(message: SentMessage | undefined): message is SentMessage {
  return message?.method === 'initialize' && message.id !== undefined && message.id !== null;
}
