import { failureMessage } from '../tool-error.ts';
import { pathsAreRelated } from './related-paths.ts';
import { stateOf } from './path-state.ts';
import { missingAbove, takeSnapshot } from './snapshot.ts';
import type { TurnRecord } from './turn-record.ts';
import { TurnRecords } from './turn-records.ts';
import { undoTurn } from './undo-turn.ts';
import type { UndoReport, UndoContext } from './undo-report.ts';

/** Where checkpoints are stored. */
export interface CheckpointsLocation {
  /** The absolute folder of stored sessions. Undefined: sessions are not stored, and checkpoints end with the session. */
  readonly sessions: string | undefined;
  readonly sessionId: string;
}

/**
 * The state of files before each turn changed them, so that a turn can be undone: the last 20 turns, 256 MiB
 * in total, 32 MiB per file, 64 MiB per folder. It is on the disk before the change is made, readable for its owner alone.
 */
export class Checkpoints {
  readonly #records: TurnRecords;
  #turn: TurnRecord | undefined;
  /** Why this turn cannot be recorded. */
  #warning: string | undefined = 'no turn has begun';
  #capacity: Promise<number> | undefined;
  #lastId = 0;
  /** The changes by path, if they are the last that touched it. */
  readonly #byPath = new Map<string, number>();
  /** Changes whose result is not recorded yet. */
  readonly #open = new Map<number, string>();

  /**
   * @param location Default: a temporary folder
   * @throws Error for an id of a session that could lead out of the folder
   */
  constructor(location?: CheckpointsLocation) {
    const sessions = location?.sessions;
    this.#records = new TurnRecords(sessions ? { sessions, sessionId: location.sessionId } : undefined);
  }

  /** Begins a turn: changes from now on belong to it. */
  begin(): void {
    this.#forget();
    try {
      this.#turn = this.#records.begin();
      this.#warning = undefined;
    } catch (error) {
      this.#turn = undefined;
      this.#warning = failureMessage(error);
    }
  }

  /**
   * Records the state of a path, unless this turn has done so. Tools await it before they change, create or delete the path. Never throws.
   * @param path absolute, links resolved up to its last part
   * @returns why it cannot be restored, if it cannot
   */
  async record(path: string): Promise<string | undefined> {
    const known = this.#byPath.get(path);
    if (known === undefined) return this.#recordState(path);
    this.#open.set(known, path);
    return undefined;
  }

  /** Like {@link record}, before a move. */
  async recordMove(from: string, to: string): Promise<string | undefined> {
    const why = await this.#append(to, async (turn, id) => {
      this.#forgetRelated(from);
      await turn.add({ type: 'moved', id, path: to, from, missingFolders: await missingAbove(to) });
      return undefined;
    });
    // A change of the moved path is another change.
    this.#byPath.delete(to);
    return why;
  }

  /** Records the result of a tool, which awaits it, to distinguish it from changes by others. Never throws. */
  async seal(): Promise<void> {
    const open = [...this.#open];
    this.#open.clear();
    // An unrecorded result counts as changed by another program.
    for (const [id, path] of open) await this.#turn?.left(id, await stateOf(path)).catch(() => undefined);
  }

  /** Undoes the last turn that was not undone yet, the last change first. */
  async undoLast(context: UndoContext = {}): Promise<UndoReport> {
    await this.seal();
    this.#forget();
    this.#turn = undefined;
    this.#warning = 'no turn has begun';
    const turn = await this.#records.last();
    if (turn === undefined) return { turn: 'none', undone: [], conflicts: [], unkept: [] };
    const report = await undoTurn(turn, context);
    const folder = await this.#records.markUndone(turn);
    return report.conflicts.length === 0 ? report : { ...report, keptIn: folder };
  }

  /** Ends with the session. */
  async close(): Promise<void> {
    await this.seal();
    await this.#records.close();
  }

  async #recordState(path: string): Promise<string | undefined> {
    return this.#append(path, async (turn, id) => {
      this.#capacity ??= this.#records.prune();
      const capacity = await this.#capacity;
      const before = await takeSnapshot(path, { folder: turn.folder, blob: String(id), capacity });
      if ('bytes' in before) this.#capacity = Promise.resolve(capacity - before.bytes);
      await turn.add({ type: 'recorded', id, path, before });
      return before.kind === 'unkept' ? before.why : undefined;
    });
  }

  async #append(
    path: string,
    write: (turn: TurnRecord, id: number) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    this.#forgetRelated(path);
    if (this.#turn === undefined) return this.#warning;
    const id = ++this.#lastId;
    try {
      const why = await write(this.#turn, id);
      this.#byPath.set(path, id);
      this.#open.set(id, path);
      return why;
    } catch (error) {
      return failureMessage(error);
    }
  }

  #forgetRelated(path: string): void {
    for (const each of this.#byPath.keys()) if (pathsAreRelated(path, each)) this.#byPath.delete(each);
  }

  #forget(): void {
    this.#byPath.clear();
    this.#open.clear();
    this.#capacity = undefined;
    this.#lastId = 0;
  }
}
