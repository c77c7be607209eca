import type { ScenarioResult, Subject } from '@turnwire/conformance';
import { warn } from '../../failure.ts';
import { join, resolve } from 'node:path';
import { makeFolder } from '@turnwire/machine';
import { writeTrace } from '@turnwire/trace/node';

/** Writes the connections of a check to a folder, if there is one. A folder that cannot be written causes one warning, and the check continues. */
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

  /** Resolves when all traces have been written or have failed. */
  async written(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #reportFailure(error: unknown): void {
    if (!this.#hasFailed) warn(`the traces cannot be written to ${this.#folder} (${(error as Error).message})`);
    this.#hasFailed = true;
  }
}

/** The file for a connection of a scenario, counted from 1. */
export function traceName(scenario: string, nth: number): string {
  return `${scenario.replaceAll(/[^\w-]+/g, '-')}-${nth}.jsonl`;
}

/** Writes each connection of a scenario to its own file, `folder/scenario-1.jsonl`, as our side saw it. */
async function writeTraces(folder: string, { scenario, journals }: ScenarioResult, judged: Subject): Promise<void> {
  await makeFolder(resolve(folder));
  const header = { side: judged === 'agent' ? 'client' : 'agent', scenario } as const;
  await Promise.all(
    journals.map((journal, index) => {
      // Without the parsed message: redaction works on the text.
      const frames = journal.map(({ at, from, text, flaw }) => ({
        ...{ at, text, direction: from === judged ? ('in' as const) : ('out' as const) },
        ...(flaw !== undefined && { flaw }),
      }));
      return writeTrace(frames, { path: join(folder, traceName(scenario, index + 1)), header });
    }),
  );
}
