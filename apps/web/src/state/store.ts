/**
 * A value outside React that notifies its readers at most once per frame, however often it changes: a thousand updates of an agent cost
 * only as many renderings as the screen can show.
 */
export class Store<Value> {
  #value: Value;
  #shown: Value;
  #isScheduled = false;
  readonly #listeners = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
    this.#shown = value;
  }

  /** The current value. */
  get current(): Value {
    return this.#value;
  }

  /** The value as of the last notification, for `useSyncExternalStore`. */
  readonly shown = (): Value => this.#shown;

  /** Returns a function that removes the listener. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  set(value: Value): void {
    this.#value = value;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // A hidden page has no frames.
    if (document.hidden) setTimeout(this.#notify, hiddenInterval);
    else requestAnimationFrame(this.#notify);
  }

  /** Changes some fields. */
  change(fields: Partial<Value>): void {
    this.set({ ...this.#value, ...fields });
  }

  /** Changes some fields before the next frame. For user actions, whose next key is meant for the new screen. */
  changeAtOnce(fields: Partial<Value>): void {
    this.change(fields);
    this.#notify();
  }

  readonly #notify = (): void => {
    this.#isScheduled = false;
    this.#shown = this.#value;
    for (const listener of this.#listeners) listener();
  };
}

const hiddenInterval = 200;
