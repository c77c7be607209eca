import { type EventBody, type EventFrame, eventFrames, type EventReading } from './event-frames.ts';

/** Pauses before a stream is reopened that keeps ending at once, in milliseconds. */
const pauses: readonly number[] = [0, 250, 1_000, 3_000];
/** A stream that stayed open this long counts as working, in milliseconds. */
const proven = 1_000;

/** Reopens a stream after an event. Resolves with undefined if the stream has no more events; rejects if the server was not reached. */
export type Reopen = (lastEventId: string) => Promise<EventBody | undefined>;

/**
 * The frames of an event stream. If the server numbers its events, a stream that ends is reopened after the last one: proxies close streams that are
 * silent or old.
 */
export async function* continuedFrames(
  first: EventBody,
  reading: Omit<EventReading, 'numbered'>,
  reopen: Reopen,
): AsyncGenerator<EventFrame, undefined> {
  const continuation = new Continuation(reopen);
  for (let body: EventBody | undefined = first; body !== undefined; body = await continuation.next()) {
    continuation.begins();
    try {
      yield* eventFrames(body, { ...reading, numbered: (id) => continuation.reached(id) });
    } catch (cause) {
      continuation.breaks(cause);
    }
  }
  return undefined;
}

/** The position in a stream, and how often it was opened since it last worked. */
class Continuation {
  readonly #reopen: Reopen;
  #lastEventId: string | undefined;
  #openings = 0;
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
    this.#openings = 0;
  }

  breaks(cause: unknown): void {
    this.#cut = { cause };
  }

  /**
   * The reopened stream; undefined if it has ended. Throws the reason of the break if it cannot be reopened: waiting for an unreachable server is up
   * to the caller.
   */
  async next(): Promise<EventBody | undefined> {
    if (performance.now() - this.#since >= proven) this.#openings = 0;
    const body = await this.#open().catch((cause: unknown) => void (this.#cut ??= { cause }));
    if (body === undefined && this.#cut !== undefined) throw this.#cut.cause;
    return body;
  }

  async #open(): Promise<EventBody | undefined> {
    const pause = pauses[this.#openings++];
    if (this.#lastEventId === undefined || pause === undefined) return undefined;
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    return this.#reopen(this.#lastEventId);
  }
}
