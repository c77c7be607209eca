import type { FrameAbout, FrameReceiver, Transport } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import type { QueueLimits } from '../frame-queue.ts';
import { FrameQueue } from '../frame-queue.ts';
import { GuardedReceiver } from '../guarded-receiver.ts';

/** Limits of undelivered frames in one direction, beyond which `send` returns a promise. */
export interface MemoryLimits {
  /** Frames. Default 1,024. */
  readonly maxFrames?: number;
  /** Text, in UTF-16 units. Default 16 Mi. */
  readonly maxText?: number;
}

/** One end of a {@link memoryPair}. */
export interface MemoryTransport extends Transport {
  /** Breaks the connection in both directions, like a crash: undelivered frames are lost and both receivers end with the error. */
  destroy(error?: Error): void;
}

class MemoryEnd implements MemoryTransport {
  readonly #outgoing: FrameQueue;
  readonly #incoming: FrameQueue;

  constructor(outgoing: FrameQueue, incoming: FrameQueue) {
    this.#outgoing = outgoing;
    this.#incoming = incoming;
  }

  start(receiver: FrameReceiver): void {
    this.#incoming.start(new GuardedReceiver(receiver, (reason) => this.destroy(reason)));
  }

  send(frame: string, about?: FrameAbout): Promise<void> | undefined {
    return this.#outgoing.send(frame, about);
  }

  close(): Promise<void> {
    this.#outgoing.end();
    return Promise.resolve();
  }

  destroy(error: Error = new TurnwireError('connection-closed', 'the memory pair was destroyed')): void {
    this.#outgoing.abort(error);
    this.#incoming.abort(error);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    this.#incoming.abort(new TurnwireError('connection-closed', 'this side disposed of the transport'));
  }
}

/**
 * Two connected transports in memory: frames sent on one arrive at the other, in order and in a later microtask. For tests, and for an agent in its
 * client's process. Runs in browsers.
 */
export function memoryPair(limits: MemoryLimits = {}): readonly [MemoryTransport, MemoryTransport] {
  const { maxFrames = 1024, maxText = 16 * 1024 * 1024 } = limits;
  const queueLimits: QueueLimits = { frames: maxFrames, text: maxText };
  const there = new FrameQueue(queueLimits);
  const back = new FrameQueue(queueLimits);
  return [new MemoryEnd(there, back), new MemoryEnd(back, there)];
}
