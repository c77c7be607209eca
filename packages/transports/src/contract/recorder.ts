import type { FrameReceiver, TransportWarning } from '@turnwire/protocol';

/** One event of a receiver. An end without a reason is null, which JSON can represent. */
export type Received =
  | { readonly frame: string }
  | { readonly warning: TransportWarning }
  | { readonly end: string | null };

/** A receiver that records everything, and can wait for the next events. */
export class Recorder implements FrameReceiver {
  readonly received: Received[] = [];
  /** The result of `frame`; replace it to make the transport wait. */
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
    this.#record({ frame: text });
    return this.answer(text);
  }

  warning(report: TransportWarning): void {
    this.#record({ warning: report });
  }

  end(reason?: Error): void {
    this.ended = true;
    this.#record({ end: reason === undefined ? null : describe(reason) });
  }

  /** Waits until the condition is true. */
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

  /** Waits for a number of frames, or for the end if fewer arrive. */
  untilFrames(count: number): Promise<void> {
    return this.until(() => this.frameCount >= count || this.ended);
  }

  /** Waits for the end. */
  untilEnd(): Promise<void> {
    return this.until(() => this.ended);
  }

  #record(entry: Received): void {
    this.received.push(entry);
    for (const check of this.#waiters) check();
  }
}

function describe(reason: Error): string {
  return 'code' in reason ? `${String(reason.code)}: ${reason.message}` : reason.message;
}
