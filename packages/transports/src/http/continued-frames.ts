import { type EventFrame, eventFrames, type EventReading } from './event-frames.ts';

/** How long is waited before a stream that was cut is asked for again, each time, in milliseconds. */
const pauses: readonly number[] = [0, 250, 1_000, 3_000];
/** A stream that was open for so long counts as one that works, in milliseconds. */
const proven = 1_000;

type Body = ReadableStream<Uint8Array>;

/** Opens a stream again behind an event. Resolves with nothing if there is no more of it; rejects if the server was not reached. */
export type Reopen = (lastEventId: string) => Promise<Body | undefined>;

/**
 * The frames of an event stream. Where a server numbers its events, a stream that ends is asked for again from the last one: what stands
 * between cuts off streams that are silent, or old.
 */
export async function* continuedFrames(
  first: Body,
  reading: Omit<EventReading, 'numbered'>,
  reopen: Reopen,
): AsyncGenerator<EventFrame, undefined> {
  const continuation = new Continuation(reopen);
  for (let body: Body | undefined = first; body !== undefined; body = await continuation.next()) {
    continuation.begins();
    try {
      yield* eventFrames(body, { ...reading, numbered: (id) => continuation.reached(id) });
    } catch (cause) {
      continuation.breaks(cause);
    }
  }
  return undefined;
}

/** How far a stream was read, and how often it was asked for since it last worked. */
class Continuation {
  readonly #reopen: Reopen;
  #lastEventId: string | undefined;
  #failures = 0;
  #since = 0;
  #cut: { readonly cause: unknown } | undefined;

  constructor(reopen: Reopen) {
    this.#reopen = reopen;
  }

  begins(): void {
    this.#since = performance.now();
    this.#cut = undefined;
  }

  reached(id: string): void {
    this.#lastEventId = id;
    this.#failures = 0;
  }

  breaks(cause: unknown): void {
    this.#cut = { cause };
  }

  /** The stream, open again; nothing if it has ended. Throws why it broke if it cannot be opened again. */
  async next(): Promise<Body | undefined> {
    if (performance.now() - this.#since >= proven) this.#failures = 0;
    for (const pause of this.#lastEventId === undefined ? [] : pauses.slice(this.#failures)) {
      this.#failures++;
      await new Promise((resolve) => setTimeout(resolve, pause));
      try {
        const body = await this.#reopen(this.#lastEventId ?? '');
        if (body !== undefined) return body;
        break;
      } catch (cause) {
        this.#cut ??= { cause };
      }
    }
    if (this.#cut !== undefined) throw this.#cut.cause;
    return undefined;
  }
}
