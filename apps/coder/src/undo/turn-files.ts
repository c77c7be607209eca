import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside, projectRoot } from '@turnwire/machine';
import type { FolderRecord, RecordedTurn } from '@turnwire/machine/folder-record';
import { failureMessage } from '../tool-error.ts';
import type { RecordedFiles, RecordedFilesEntry } from '../conversation/recorded-files.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';
import type { UndoContext, UndoReport } from './undo-report.ts';

/** The session whose files are recorded. */
export interface TurnFilesParts {
  readonly sessionId: string;
  /** The folders of the session, absolute, links resolved. The first one is its working directory. */
  readonly roots: readonly string[];
  /** The absolute folder of records. Undefined: a temporary one, which ends with the session. */
  readonly records: string | undefined;
}

/** A turn that begins. */
export interface BegunTurn {
  /** The id under which the client records the turn, if it does. */
  readonly recordedTurn: string | undefined;
  readonly prompt: string;
  /** Stores an addition to the {@link RecordedFiles} of the turn. */
  readonly keep: (entry: RecordedFilesEntry) => void;
}

/** The beginning of a prompt that is stored with its turn, in UTF-16 units. */
const mostPrompt = 200;

/**
 * The state of the session's files before and after each turn, so that a turn can be undone: in the same records as `turnwire` uses for a
 * review. A turn is recorded before its first tool that may change something.
 */
export class TurnFiles {
  readonly #parts: TurnFilesParts;
  #temporary: string | undefined;
  #turn: (BegunTurn & { readonly id: string }) | undefined;
  /** The turn in each of its folders. */
  readonly #begun = new Map<string, Promise<Begun | string>>();

  constructor(parts: TurnFilesParts) {
    this.#parts = parts;
  }

  /** Begins a turn: changes from now on belong to it. */
  begin(turn: BegunTurn): void {
    this.#begun.clear();
    const id = turn.recordedTurn ?? randomUUID();
    this.#turn = { ...turn, id };
    turn.keep({ type: 'files-recorded', id });
  }

  /** Records the working directory, unless this turn has done so. Awaited before a tool that may change anything. Never rejects. */
  async record(): Promise<void> {
    const [cwd = ''] = this.#parts.roots;
    if (this.#turn) await this.#recordFolder(cwd);
  }

  /**
   * Records a path. Tools await it before they change, create or delete the path. Never rejects.
   * @param path absolute, links resolved up to its last part
   * @returns why it cannot be restored, if it cannot
   */
  async recordPath(path: string): Promise<string | undefined> {
    const turn = this.#turn;
    if (!turn) return 'no turn has begun';
    const why = await this.#recordPath(path);
    if (why !== undefined) turn.keep({ type: 'files-recorded', unkept: { path, why } });
    return why;
  }

  /** Records the state after the turn. Never rejects: without its end, a turn counts as one that was killed. */
  async end(): Promise<void> {
    for (const each of this.#begun.values()) {
      const begun = await each;
      // The client ends the turns that it records.
      if (typeof begun === 'object' && begun.turn.sessionId === this.#parts.sessionId)
        await begun.record.end(begun.turn).catch(() => undefined);
    }
    this.#begun.clear();
    this.#turn = undefined;
  }

  /** Restores the files as they were before a turn. Changes that others made since are kept. */
  async takeBack(files: RecordedFiles | undefined, context: UndoContext = {}): Promise<UndoReport> {
    const [{ FolderRecord }, { takeBackFiles }] = await Promise.all([loadedRecord(), import('./take-back-files.ts')]);
    const reports: UndoReport[] = [];
    const unkept = [...(files?.unkept ?? [])];
    for (const folder of files?.folders ?? []) {
      const record = new FolderRecord(folder, this.#records());
      // Several if a turn that this process recorded was continued.
      const turns = (await record.turns()).filter(({ id, isUndone }) => id === files?.id && !isUndone);
      for (const turn of turns.toReversed()) reports.push(await takeBackFiles(record, turn, context));
      // In a record that exists, a turn that changed nothing is missing.
      if (!record.exists) unkept.push({ path: folder, why: 'there is no record of its files' });
    }
    return {
      undone: reports.flatMap(({ undone }) => undone),
      conflicts: reports.flatMap(({ conflicts }) => conflicts),
      unkept: [...unkept, ...reports.flatMap((report) => report.unkept)],
    };
  }

  /** Ends with the session. */
  async close(): Promise<void> {
    await this.end();
    if (this.#temporary !== undefined) await removeTemporaryFolder(this.#temporary);
  }

  async #recordPath(path: string): Promise<string | undefined> {
    const begun = await this.#recordFolder(this.#folderOf(path));
    if (typeof begun === 'string') return begun;
    return begun.record.include(path).catch(failureMessage);
  }

  /** The root of the repository around a path, within the folders of the session; otherwise that folder. */
  #folderOf(path: string): string {
    const root = this.#parts.roots.find((each) => isInside(each, path)) ?? dirname(path);
    const project = projectRoot(dirname(path));
    return isInside(root, project) && existsSync(join(project, '.git')) ? project : root;
  }

  #recordFolder(folder: string): Promise<Begun | string> {
    const begun = this.#begun.get(folder) ?? this.#begin(folder);
    this.#begun.set(folder, begun);
    return begun;
  }

  /** Resolves with the reason if the folder cannot be recorded. */
  async #begin(folder: string): Promise<Begun | string> {
    const { sessionId } = this.#parts;
    const { id = '', prompt = '', keep } = this.#turn ?? {};
    try {
      const { FolderRecord } = await loadedRecord();
      const record = new FolderRecord(folder, this.#records());
      const turn = await record.begin({ id, sessionId, agent: 'coder', prompt: prompt.slice(0, mostPrompt) });
      keep?.({ type: 'files-recorded', folder: record.folder });
      return { record, turn };
    } catch (error) {
      const why = failureMessage(error);
      keep?.({ type: 'files-recorded', unkept: { path: folder, why } });
      return why;
    }
  }

  #records(): string {
    return this.#parts.records ?? (this.#temporary ??= makeTemporaryFolder());
  }
}

/** Most turns change nothing, and record nothing. */
const loadedRecord = () => import('@turnwire/machine/folder-record');

interface Begun {
  readonly record: FolderRecord;
  readonly turn: RecordedTurn;
}
