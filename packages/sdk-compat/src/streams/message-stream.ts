import { type FrameReceiver, RelayedFrames, type Transport } from '@turnwire/protocol';
import { objectStreams } from './object-streams.ts';
import type { Stream } from './stream.ts';

/** An agent answers a line that is not JSON, as JSON-RPC demands; a client only reports it. */
export type Noise = 'deliver' | 'report';

/** A connection that was not opened yet, with streams of messages that are made when a program uses them. */
class LazyPair {
  readonly #open: (noise: Noise) => Transport;
  readonly #routedAs: 'agent' | 'client' | undefined;
  #streams: Stream | undefined;

  constructor(open: (noise: Noise) => Transport, routedAs: 'agent' | 'client' | undefined) {
    this.#open = open;
    this.#routedAs = routedAs;
  }

  get isUntouched(): boolean {
    return this.#streams === undefined;
  }

  /** Made when the program reads or wraps them. */
  get streams(): Stream {
    return (this.#streams ??= this.#makeStreams(this.transport('deliver')));
  }

  transport(noise: Noise): Transport {
    return this.#open(noise);
  }

  #makeStreams(transport: Transport): Stream {
    return objectStreams(this.#routedAs === undefined ? transport : routed(transport, this.#routedAs));
  }
}

/** Adds the facts about each message by which a transport over HTTP chooses its way. A peer adds them itself. */
function routed(transport: Transport, side: 'agent' | 'client'): Transport {
  const relayed = new RelayedFrames();
  const receiving = (receiver: FrameReceiver): FrameReceiver => ({
    frame: (text) => {
      relayed.read(side === 'agent' ? 'client' : 'agent', text);
      return receiver.frame(text);
    },
    warning: (warning) => receiver.warning(warning),
    end: (error) => receiver.end(error),
  });
  return {
    start: (receiver) => transport.start(receiving(receiver)),
    send: (text) => transport.send(text, relayed.read(side, text)),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => Promise.resolve(transport[Symbol.asyncDispose]()),
  };
}

const pairs = new WeakMap<object, LazyPair>();

/**
 * A stream of messages over a transport. If it is passed on to a connection untouched, the connection uses the transport itself; only a
 * program that reads, writes or wraps its `readable` and `writable` gets streams of objects.
 * @param open opens the transport. Called once, when the stream is used
 * @param routedAs the side of the program, if the transport has to know which session a message belongs to
 */
export function messageStream(open: (noise: Noise) => Transport, routedAs?: 'agent' | 'client'): Stream {
  const pair = new LazyPair(open, routedAs);
  // Own properties: programs copy a stream with `{ ...stream, readable }`.
  const stream = Object.defineProperties({} as Stream, {
    readable: { enumerable: true, get: () => pair.streams.readable },
    writable: { enumerable: true, get: () => pair.streams.writable },
  });
  pairs.set(stream, pair);
  return stream;
}

/** The transport of an unused stream. */
export function transportBelow(stream: Stream, noise: Noise): Transport | undefined {
  const pair = pairs.get(stream);
  return pair?.isUntouched ? pair.transport(noise) : undefined;
}
