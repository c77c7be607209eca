import { failureMessage } from '../tools/tool-error.ts';
import { pathsAreRelated } from './related-paths.ts';
import { stateOf } from './path-state.ts';
import { missingAbove, takeSnapshot } from './snapshot.ts';
import type { TurnRecord } from './turn-record.ts';
import { TurnRecords } from './turn-records.ts';
import { undoTurn } from './undo-turn.ts';
import type { UndoReport, UndoSurroundings } from './undo-report.ts';

/** Where checkpoints are kept. */
export interface CheckpointsPlace {
  /** The absolute folder sessions are kept in. Undefined: they are not, and what is kept ends with the session. */
  readonly sessions: string | undefined;
  readonly sessionId: string;
}

/**
 * What the files of a session were before its turns changed them, so that a turn can be taken back: the last 20 turns, 256 MiB
 * altogether, 32 MiB of a file, 64 MiB of a folder. It is on the disk before the change is made, for its owner alone.
 */
export class Checkpoints {
  readonly #records: TurnRecords;
  #turn: TurnRecord | undefined;
  /** Why this turn cannot be kept. */
  #warning: string | undefined = 'no turn has begun';
  #room: Promise<number> | undefined;
  #lastId = 0;
  /** The changes by path, as long as they are the last that touched it. */
  readonly #byPath = new Map<string, number>();
  /** Changes whose outcome is not recorded yet. */
  readonly #open = new Map<number, string>();

  /**
   * @param place Default: a temporary folder
   * @throws Error for an id of a session that could lead out of the folder
   */
  constructor(place?: CheckpointsPlace) {
    const sessions = place?.sessions;
    this.#records = new TurnRecords(sessions ? { sessions, sessionId: place.sessionId } : undefined);
  }

  /** A turn begins: what is noted from now on belongs to it. */
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
   * To be awaited before a tool changes, makes or deletes what is at a path: notes what is there now, unless this turn has done so
   * already. Never throws.
   * @param path absolute, links resolved up to its last part
   * @returns why it cannot be put back, if it cannot
   */
  async note(path: string): Promise<string | undefined> {
    const known = this.#byPath.get(path);
    if (known === undefined) return this.#note(path);
    this.#open.set(known, path);
    return undefined;
  }

  /** Like {@link note}, before something is moved. */
  async noteMove(from: string, to: string): Promise<string | undefined> {
    const why = await this.#record(to, async (turn, id) => {
      this.#forgetRelated(from);
      await turn.add({ type: 'moved', id, path: to, from, missingFolders: await missingAbove(to) });
      return undefined;
    });
    // What is done to it there is another change.
    this.#byPath.delete(to);
    return why;
  }

  /** To be awaited after a tool is done: records what it left, to tell it from what others do. Never throws. */
  async seal(): Promise<void> {
    const open = [...this.#open];
    this.#open.clear();
    // What is not recorded counts as what somebody else may have done.
    for (const [id, path] of open) await this.#turn?.left(id, await stateOf(path)).catch(() => undefined);
  }

  /** Takes back what the last turn changed that was not taken back yet, the last change first. */
  async undoLast(surroundings: UndoSurroundings = {}): Promise<UndoReport> {
    await this.seal();
    this.#forget();
    this.#turn = undefined;
    this.#warning = 'no turn has begun';
    const turn = await this.#records.last();
    if (turn === undefined) return { turn: 'none', undone: [], conflicts: [], unkept: [] };
    const report = await undoTurn(turn, surroundings);
    const folder = await this.#records.markUndone(turn);
    return report.conflicts.length === 0 ? report : { ...report, keptIn: folder };
  }

  /** The session ends. */
  async close(): Promise<void> {
    await this.seal();
    await this.#records.close();
  }

  async #note(path: string): Promise<string | undefined> {
    return this.#record(path, async (turn, id) => {
      this.#room ??= this.#records.prune();
      const room = await this.#room;
      const before = await takeSnapshot(path, { folder: turn.folder, blob: String(id), room });
      if ('bytes' in before) this.#room = Promise.resolve(room - before.bytes);
      await turn.add({ type: 'noted', id, path, before });
      return before.kind === 'unkept' ? before.why : undefined;
    });
  }

  async #record(
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
    this.#room = undefined;
    this.#lastId = 0;
  }
}
