import type { ScenarioResult, Subject } from '@turnwire/conformance';
import { complain } from '../../failure.ts';
import { writeTraces } from './write-traces.ts';

/** Writes the connections of a check to a folder, if one is given. A folder that cannot be written is reported once and stops nothing. */
export class TraceFolder {
  readonly #folder: string | undefined;
  readonly #kind: Subject;
  readonly #writing: Promise<void>[] = [];
  #hasFailed = false;

  constructor(folder: string | undefined, kind: Subject) {
    this.#folder = folder;
    this.#kind = kind;
  }

  keep(result: ScenarioResult): void {
    if (this.#folder === undefined) return;
    this.#writing.push(
      writeTraces(this.#folder, result, this.#kind).catch((error: unknown) => this.#reportFailure(error)),
    );
  }

  /** Resolves when everything that can be written is. */
  async written(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #reportFailure(error: unknown): void {
    if (!this.#hasFailed) complain(`the traces cannot be written to ${this.#folder} (${(error as Error).message})`);
    this.#hasFailed = true;
  }
}
