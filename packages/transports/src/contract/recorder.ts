import type { FrameReceiver, TransportWarning } from '@turnwire/protocol';

/** One thing a receiver got. The end without a reason is null, so that it has JSON. */
export type Received =
  | { readonly frame: string }
  | { readonly warning: TransportWarning }
  | { readonly end: string | null };

/** A receiver that remembers what it got, and can wait for what it is about to get. */
export class Recorder implements FrameReceiver {
  readonly received: Received[] = [];
  /** What `frame` returns; replace it to hold the transport back. */
  answer: (text: string) => Promise<void> | undefined = () => undefined;
  frameCount = 0;
  ended = false;
  readonly #waiters = new Set<() => void>();

  get frames(): readonly string[] {
    return this.received.flatMap((entry) => ('frame' in entry ? [entry.frame] : []));
  }

  get warnings(): readonly TransportWarning[] {
    return this.received.flatMap((entry) => ('warning' in entry ? [entry.warning] : []));
  }

  frame(text: string): Promise<void> | undefined {
    this.frameCount += 1;
    this.#note({ frame: text });
    return this.answer(text);
  }

  warning(report: TransportWarning): void {
    this.#note({ warning: report });
  }

  end(reason?: Error): void {
    this.ended = true;
    this.#note({ end: reason === undefined ? null : describe(reason) });
  }

  /** Waits until the condition holds. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!condition()) return;
        this.#waiters.delete(check);
        resolve();
      };
      this.#waiters.add(check);
      check();
    });
  }

  /** Waits for so many frames, or for the end when there are fewer. */
  untilFrames(count: number): Promise<void> {
    return this.until(() => this.frameCount >= count || this.ended);
  }

  /** Waits for the end. */
  untilEnd(): Promise<void> {
    return this.until(() => this.ended);
  }

  #note(entry: Received): void {
    this.received.push(entry);
    for (const check of this.#waiters) check();
  }
}

function describe(reason: Error): string {
  return 'code' in reason ? `${String(reason.code)}: ${reason.message}` : reason.message;
}
