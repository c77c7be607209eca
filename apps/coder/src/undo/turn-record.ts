import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PathState } from './path-state.ts';
import type { Snapshot } from './snapshot.ts';

/** One change of a turn, in order. */
export type RecordedChange = {
  readonly id: number;
  /** Absolute. Of a move: the target. */
  readonly path: string;
  /** The state after the turn. Undefined: the process ended before it was recorded. */
  readonly after?: PathState | undefined;
} & (
  | { readonly type: 'recorded'; readonly before: Snapshot }
  | { readonly type: 'moved'; readonly from: string; readonly missingFolders: readonly string[] }
);

type Line = RecordedChange | { readonly type: 'left'; readonly id: number; readonly after: PathState };

/** The changes of one turn: a folder with an append-only journal, and the stored content of files. */
export class TurnRecord {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async make(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
  }

  async add(change: RecordedChange): Promise<void> {
    await this.#append(change);
  }

  /** Records the state of a path after its change. */
  async left(id: number, after: PathState): Promise<void> {
    await this.#append({ type: 'left', id, after });
  }

  /** The changes, oldest first. An incomplete line is ignored. */
  async changes(): Promise<readonly RecordedChange[]> {
    const text = await readFile(this.#journal, 'utf8').catch(ignoreMissing);
    const changes = new Map<number, RecordedChange>();
    for (const line of text.split('\n').flatMap(parse)) {
      if (line.type !== 'left') changes.set(line.id, line);
      else {
        const change = changes.get(line.id);
        if (change) changes.set(line.id, { ...change, after: line.after });
      }
    }
    return [...changes.values()];
  }

  /** The stored content, in bytes. */
  async size(): Promise<number> {
    const sizes = (await this.changes()).map((change) =>
      change.type === 'recorded' && 'bytes' in change.before ? change.before.bytes : 0,
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  async #append(line: Line): Promise<void> {
    await appendFile(this.#journal, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  get #journal(): string {
    return join(this.folder, 'journal.jsonl');
  }
}

function parse(line: string): readonly Line[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line) as Line];
  } catch {
    return [];
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error;
  return '';
}
