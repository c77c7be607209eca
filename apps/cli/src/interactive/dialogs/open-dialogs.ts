import type { Key } from '../key.ts';
import type { Dialog } from './dialog.ts';

/** How long an unexpected question ignores keys after it appears, and after the last key, in milliseconds. */
const quiet = 400;

interface Waiting {
  readonly dialog: Dialog;
  readonly isUninvited: boolean;
}

/**
 * The open dialogs. Those of the user are on top; questions of the agent appear one after another. A question ignores keys until the
 * keyboard has been quiet for a moment, because keys typed ahead were not meant for it.
 */
export class OpenDialogs {
  #waiting: readonly Waiting[] = [];
  #quietSince = 0;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get current(): Dialog | undefined {
    return this.#waiting[0]?.dialog;
  }

  /** Whether a question of the agent is open. */
  get isAsking(): boolean {
    return this.#waiting.some(({ isUninvited }) => isUninvited);
  }

  /** The number of queued dialogs after the current one. */
  get waiting(): number {
    return Math.max(0, this.#waiting.length - 1);
  }

  /** The time until the current dialog accepts keys, in milliseconds; 0 if it accepts them now. */
  get wait(): number {
    return this.#waiting[0]?.isUninvited ? Math.max(0, this.#quietSince + quiet - performance.now()) : 0;
  }

  /** Opens a dialog of the user above all others. */
  open(dialog: Dialog): () => void {
    return this.#add([{ dialog, isUninvited: false }, ...this.#waiting], dialog);
  }

  /** Opens a dialog of the user and waits for its answer. */
  answer<Value>(make: (settle: (value: Value) => void) => Dialog): Promise<Value> {
    return new Promise((resolve) => {
      const close = this.open(
        make((value) => {
          close();
          resolve(value);
        }),
      );
    });
  }

  /** Queues a question after those that are open. */
  ask(dialog: Dialog): () => void {
    return this.#add([...this.#waiting, { dialog, isUninvited: true }], dialog);
  }

  /** Records a key that the current dialog does not receive, which extends its wait. */
  postpone(): void {
    this.#quietSince = performance.now();
    this.#changed();
  }

  key(key: Key): void {
    this.current?.key(key);
    this.#changed();
  }

  paste(text: string): void {
    this.current?.paste(text);
    this.#changed();
  }

  #add(waiting: readonly Waiting[], dialog: Dialog): () => void {
    this.#replace(waiting);
    return () => this.#replace(this.#waiting.filter((each) => each.dialog !== dialog));
  }

  #replace(waiting: readonly Waiting[]): void {
    const before = this.current;
    this.#waiting = waiting;
    if (this.current !== before) this.#quietSince = performance.now();
    this.#changed();
  }
}
