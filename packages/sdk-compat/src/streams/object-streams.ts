import { TurnwireError } from '@turnwire/protocol';
import { endOfTick } from '@turnwire/transports/web-streams';
import { report } from '../json-rpc/report.ts';
import type { AnyMessage } from '../json-rpc/messages.ts';
import { RequestError } from '../json-rpc/request-error.ts';
import { abandon, type StreamTransport } from '../connection/stream-transport.ts';
import type { Stream } from './stream.ts';

/** Messages that may wait to be read. */
const highWaterMark = 1024;

/** How long the last message of a closed connection may wait to be taken, in milliseconds. */
const flushTimeout = 2_000;

/** The frames of a transport as streams of objects. */
export function objectStreams(transport: StreamTransport): Stream {
  let resume: () => void = () => undefined;
  let isCongested = false;
  let isCancelled = false;
  const send = (message: unknown): Promise<void> | undefined => {
    const drained = transport.send(JSON.stringify(message));
    isCongested = drained !== undefined;
    void drained?.then(() => (isCongested = false));
    return drained;
  };
  /** A peer that floods this side with noise and does not read gets no more answers, or both sides would wait for each other. */
  const refuse = (error: RequestError): void => {
    if (!isCongested) void send({ jsonrpc: '2.0', id: null, error: error.toErrorResponse() });
  };
  const readable = new ReadableStream<AnyMessage>(
    {
      start: (controller) =>
        transport.start({
          frame: (text) => {
            if (isCancelled) return undefined;
            const message = readMessage(text, refuse);
            if (message !== undefined) controller.enqueue(message);
            return (controller.desiredSize ?? 0) > 0 ? undefined : new Promise((resolve) => (resume = resolve));
          },
          warning: ({ kind, bytes }) => report('Invalid message', { kind, bytes }),
          end: (error) => {
            // The answers to noise are written first.
            endOfTick(() => {
              if (isCancelled) return;
              if (error === undefined) controller.close();
              else controller.error(error);
            });
          },
        }),
      pull: () => resume(),
      cancel: async (reason) => {
        isCancelled = true;
        resume();
        await abandon(transport, reason);
      },
    },
    { highWaterMark },
  );
  const writable = new WritableStream<AnyMessage>({
    write: async (message) => {
      await send(message);
      // As with the official package, a message has been written when the promise of its write resolves.
      await new Promise<void>((resolve) => endOfTick(resolve));
    },
    close: () => transport.close(),
  });
  return { readable, writable };
}

function readMessage(text: string, refuse: (error: RequestError) => void): AnyMessage | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    refuse(RequestError.parseError());
    return undefined;
  }
  if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message as AnyMessage;
  refuse(
    RequestError.invalidRequest(undefined, Array.isArray(message) ? 'JSON-RPC batches are not supported' : undefined),
  );
  return undefined;
}

/**
 * The transport of a connection over streams of objects. Closing it leaves them open: the program owns them.
 */
export class ObjectTransport implements StreamTransport {
  readonly #stream: Stream;
  #reader: ReadableStreamDefaultReader<AnyMessage> | undefined;
  #end: ((error?: Error) => void) | undefined;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  start(receiver: Parameters<StreamTransport['start']>[0]): void {
    this.#end = (error) => {
      this.#end = undefined;
      receiver.end(error);
    };
    void this.#readAll((text) => receiver.frame(text)).then(
      () => this.#end?.(),
      (error: unknown) => this.#end?.(broken(error)),
    );
  }

  /** Other writers of the program may write between two messages: the lock is held only for one. */
  send(text: string): Promise<void> | undefined {
    try {
      const writer = this.#stream.writable.getWriter();
      const hasCapacity = (writer.desiredSize ?? 0) > 0;
      this.#lastWrite = writer.write(JSON.parse(text) as AnyMessage);
      writer.releaseLock();
      const drained = this.#lastWrite.catch((error: unknown) => this.#end?.(broken(error)));
      return hasCapacity ? undefined : drained;
    } catch (error) {
      this.#lastWrite = Promise.reject(broken(error));
      this.#lastWrite.catch(() => this.#end?.(broken(error)));
      return undefined;
    }
  }

  written(): Promise<void> {
    return this.#lastWrite;
  }

  async close(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const lastWrite = this.#lastWrite.catch(() => undefined);
    await Promise.race([lastWrite, new Promise((resolve) => (timer = setTimeout(resolve, flushTimeout)))]);
    clearTimeout(timer);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.abandon();
  }

  async abandon(reason?: unknown): Promise<void> {
    this.#end = undefined;
    await this.#reader?.cancel(reason).catch(() => undefined);
  }

  /** Ends both streams with an error. */
  async abort(reason: unknown): Promise<void> {
    await this.abandon(reason);
    await this.#stream.writable.abort(reason).catch(() => undefined);
  }

  async #readAll(deliver: (text: string) => Promise<void> | undefined): Promise<void> {
    const reader = this.#stream.readable.getReader();
    this.#reader = reader;
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        const text = written(read.value);
        if (text === undefined) report('Invalid message', { type: typeof read.value });
        else await deliver(text);
      }
    } finally {
      this.#reader = undefined;
      reader.releaseLock();
    }
  }
}

/** One message that cannot be written as JSON is skipped alone. */
function written(message: unknown): string | undefined {
  try {
    return JSON.stringify(message);
  } catch {
    return undefined;
  }
}

function broken(cause: unknown): Error {
  return cause instanceof Error ? cause : new TurnwireError('connection-closed', String(cause), { cause });
}
