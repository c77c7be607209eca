import { Backpressure } from '../../backpressure.ts';
import type { EventSink, Exchange } from './exchange.ts';
import { SentEvents } from './sent-events.ts';

/** The frames for a client that may not have opened the stream yet, or reads it slowly. */
export class EventStream {
  readonly #backpressure = new Backpressure();
  readonly #sent: SentEvents;
  #queue: string[] = [];
  #queued = 0;
  #frames = 0;
  #sink: EventSink | undefined;
  #isFull = false;
  #wasOpen = false;
  #isFinished = false;
  #resolveDone!: () => void;
  /** Resolves when the stream was finished and everything has been passed to the client. */
  readonly done: Promise<void> = new Promise((resolve) => (this.#resolveDone = resolve));

  /** @param keptText the amount of sent text that is kept for a client that loses it, in UTF-16 units */
  constructor(keptText: number) {
    this.#sent = new SentEvents(keptText);
  }

  get isOpen(): boolean {
    return this.#sink !== undefined;
  }

  /** Whether a client has ever opened it. */
  get wasOpen(): boolean {
    return this.#wasOpen;
  }

  /** Text that the client has not read, in UTF-16 units; in bytes once it was written. */
  get waiting(): number {
    return this.#queued + (this.#sink?.waiting ?? 0);
  }

  /** The number of frames written. */
  get frames(): number {
    return this.#frames;
  }

  /**
   * @param comment precedes the event, with its line end
   * @returns a promise if more than `maxWaiting` waits
   */
  write(frame: string, maxWaiting: number, comment = ''): Promise<void> | undefined {
    this.#frames += 1;
    this.#queue.push(this.#sent.add(`${comment}${eventOf(frame)}`));
    this.#queued += frame.length;
    this.#flush();
    return this.waiting > maxWaiting ? this.#backpressure.wait() : undefined;
  }

  /** The client has opened the stream. */
  open(exchange: Exchange): void {
    const sink = exchange.stream({
      drained: () => {
        this.#isFull = false;
        this.#flush();
      },
      closed: () => {
        if (this.#sink !== sink) return;
        this.#sink = undefined;
        this.#backpressure.release();
        if (this.#isFinished) this.#resolveDone();
      },
    });
    this.#sink = sink;
    this.#isFull = false;
    // Numbers the start, so that a client that loses the stream before its first event can reopen it.
    if (!this.#wasOpen) sink.write('id: 0\n\n');
    this.#wasOpen = true;
    this.#flush();
  }

  /** Reopens the stream after an event. False if the events after it are no longer kept. */
  reopen(exchange: Exchange, lastEventId: string): boolean {
    const missed = this.#sent.after(lastEventId);
    if (missed === undefined) return false;
    const lost = this.#sink;
    this.#sink = undefined;
    lost?.destroy();
    this.#queue = [...missed];
    this.#queued = missed.reduce((sum, event) => sum + event.length, 0);
    this.open(exchange);
    return true;
  }

  /** Shows the client and proxies that the stream is alive. */
  keepAlive(): void {
    if (this.#sink?.waiting === 0 && !this.#isFull) this.#isFull = !this.#sink.write(':\n\n');
  }

  /** Ends the stream after the queued frames. */
  finish(): void {
    this.#isFinished = true;
    this.#flush();
    if (this.#sink === undefined && this.#queue.length === 0) this.#resolveDone();
  }

  /** Ends the stream at once. */
  destroy(): void {
    this.#queue = [];
    this.#queued = 0;
    this.#isFinished = true;
    this.#sink?.destroy();
    this.#backpressure.release();
    this.#resolveDone();
  }

  #flush(): void {
    const sink = this.#sink;
    if (sink === undefined || this.#isFull) return;
    const frames = this.#queue;
    this.#queue = [];
    this.#queued = 0;
    // Unread text waits in the sink, in one piece; nothing is added until it is sent.
    if (frames.length > 0) this.#isFull = !sink.write(frames.join(''));
    if (this.#isFinished) sink.end();
    else if (!this.#isFull) this.#backpressure.release();
  }
}

function eventOf(frame: string): string {
  const data = /[\r\n]/.test(frame) ? frame.replaceAll(/\r\n?|\n/g, '\ndata: ') : frame;
  return `data: ${data}\n\n`;
}
