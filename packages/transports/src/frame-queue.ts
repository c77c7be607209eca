import type { FrameAbout, FrameReceiver } from '@turnwire/protocol';
import { Backpressure } from './backpressure.ts';

/** The queue length beyond which `send` asks the sender to wait. */
export interface QueueLimits {
  readonly frames: number;
  readonly text: number;
}

interface Carried {
  readonly frame: string;
  readonly about: FrameAbout | undefined;
  next: Carried | undefined;
}

interface Ending {
  readonly reason?: Error | undefined;
}

/**
 * Delivers frames to a receiver in order, one at a time: the next one follows when the receiver has finished with the last. Delivery happens in a
 * later microtask, so that a peer is never called from inside its own `send`.
 */
export class FrameQueue {
  readonly #limits: QueueLimits;
  readonly #backpressure = new Backpressure();
  #receiver: FrameReceiver | undefined;
  /** The next frame to deliver, and the frame that arrived last. */
  #first: Carried | undefined;
  #last: Carried | undefined;
  #waiting = 0;
  #text = 0;
  #ending: Ending | undefined;
  /** Whether a delivery is due, running, or paused by the receiver's promise. */
  #busy = false;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  start(receiver: FrameReceiver): void {
    this.#receiver = receiver;
    this.#schedule();
  }

  send(frame: string, about?: FrameAbout): Promise<void> | undefined {
    if (this.#ending !== undefined) return undefined;
    const carried: Carried = { frame, about, next: undefined };
    if (this.#last === undefined) this.#first = carried;
    else this.#last.next = carried;
    this.#last = carried;
    this.#waiting++;
    this.#text += frame.length;
    this.#schedule();
    return this.#isFull() ? this.#backpressure.wait() : undefined;
  }

  /** The length of the queued text, in UTF-16 units. */
  get text(): number {
    return this.#text;
  }

  /** Accepts no more frames. Queued frames are delivered first. */
  end(reason?: Error): void {
    this.#ending ??= { reason };
    this.#schedule();
  }

  /** Drops the queued frames, then ends. The first reason wins. */
  abort(reason: Error): void {
    this.#ending = { reason: this.#ending?.reason ?? reason };
    this.#clear();
    this.#backpressure.release();
    // The receiver learns of the end even if it is still busy with a frame.
    queueMicrotask(() => this.#finish());
  }

  #isFull(): boolean {
    return this.#waiting > this.#limits.frames || this.#text > this.#limits.text;
  }

  #schedule(): void {
    if (this.#busy || this.#receiver === undefined) return;
    this.#busy = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      const pause = this.#receiver?.frame(next.frame, next.about);
      if (!this.#isFull()) this.#backpressure.release();
      if (pause === undefined) continue;
      const resume = (): void => this.#deliver();
      pause.then(resume, resume);
      return;
    }
    this.#busy = false;
    if (this.#ending !== undefined) this.#finish();
  }

  #take(): Carried | undefined {
    const carried = this.#first;
    if (carried === undefined) return undefined;
    this.#first = carried.next;
    if (this.#first === undefined) this.#last = undefined;
    // Unlinks the old entry: otherwise it would keep all later entries alive until a full garbage collection.
    carried.next = undefined;
    this.#waiting--;
    this.#text -= carried.frame.length;
    return carried;
  }

  #clear(): void {
    this.#first = undefined;
    this.#last = undefined;
    this.#waiting = 0;
    this.#text = 0;
  }

  #finish(): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.end(this.#ending?.reason);
  }
}
