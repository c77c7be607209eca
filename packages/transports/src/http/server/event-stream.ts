import { Room } from '../../room.ts';
import type { EventSink, Exchange } from './exchange.ts';
import { SentEvents } from './sent-events.ts';

/** Frames on their way to a client, which may not have opened the stream yet, or read it slowly. */
export class EventStream {
  readonly #room = new Room();
  readonly #sent: SentEvents;
  #queue: string[] = [];
  #queued = 0;
  #frames = 0;
  #sink: EventSink | undefined;
  #isFull = false;
  #wasOpen = false;
  #isFinished = false;
  #resolveDone!: () => void;
  /** Resolves when it was finished and everything has been given to the client. */
  readonly done: Promise<void> = new Promise((resolve) => (this.#resolveDone = resolve));

  /** @param keptText how much of what was written is kept for a client that loses it, in UTF-16 units */
  constructor(keptText: number) {
    this.#sent = new SentEvents(keptText);
  }

  get isOpen(): boolean {
    return this.#sink !== undefined;
  }

  /** Whether a client has opened it at any time. */
  get wasOpen(): boolean {
    return this.#wasOpen;
  }

  /** Text that the client has not read, in UTF-16 units, or bytes where they have been written. */
  get waiting(): number {
    return this.#queued + (this.#sink?.waiting ?? 0);
  }

  /** How many frames have been written. */
  get frames(): number {
    return this.#frames;
  }

  /**
   * @param comment what stands before the event, with its line end
   * @returns a promise if more than so much waits
   */
  write(frame: string, maxWaiting: number, comment = ''): Promise<void> | undefined {
    this.#frames += 1;
    this.#queue.push(this.#sent.add(`${comment}${eventOf(frame)}`));
    this.#queued += frame.length;
    this.#flush();
    return this.waiting > maxWaiting ? this.#room.wait() : undefined;
  }

  /** The client opened it. */
  open(exchange: Exchange): void {
    const sink = exchange.stream({
      drained: () => {
        this.#isFull = false;
        this.#flush();
      },
      closed: () => {
        if (this.#sink !== sink) return;
        this.#sink = undefined;
        this.#room.release();
        if (this.#isFinished) this.#resolveDone();
      },
    });
    this.#sink = sink;
    this.#isFull = false;
    // A client that loses the stream before the first event can say so.
    if (!this.#wasOpen) sink.write('id: 0\n\n');
    this.#wasOpen = true;
    this.#flush();
  }

  /** The client lost it behind an event, and opens it again. False if what came after that is not kept. */
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

  /** Shows the client, and what stands between, that the stream is alive. */
  keepAlive(): void {
    if (this.#sink?.waiting === 0 && !this.#isFull) this.#isFull = !this.#sink.write(':\n\n');
  }

  /** Ends the stream behind what is queued. */
  finish(): void {
    this.#isFinished = true;
    this.#flush();
    if (this.#sink === undefined && this.#queue.length === 0) this.#resolveDone();
  }

  /** Ends it at once. */
  destroy(): void {
    this.#queue = [];
    this.#queued = 0;
    this.#isFinished = true;
    this.#sink?.destroy();
    this.#room.release();
    this.#resolveDone();
  }

  #flush(): void {
    const sink = this.#sink;
    if (sink === undefined || this.#isFull) return;
    const frames = this.#queue;
    this.#queue = [];
    this.#queued = 0;
    // What a client does not read waits in the sink, in one piece; nothing is added to it before it is gone.
    if (frames.length > 0) this.#isFull = !sink.write(frames.join(''));
    if (this.#isFinished) sink.end();
    else if (!this.#isFull) this.#room.release();
  }
}

function eventOf(frame: string): string {
  const data = /[\r\n]/.test(frame) ? frame.replaceAll(/\r\n?|\n/g, '\ndata: ') : frame;
  return `data: ${data}\n\n`;
}
