import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { homeFolder, isInside, projectRoot, realPath, replaceFile, withLock } from '@turnwire/machine';
import { type ChangedFile, changedFiles } from './changed-files.ts';
import { FolderStates } from './folder-states.ts';
import { Git, GitError } from './git.ts';

/** A turn, and the state of the folder before and after it. */
export interface RecordedTurn {
  /** Counts the turns in the folder from 1. */
  readonly number: number;
  readonly sessionId: string;
  readonly agent: string;
  /** The beginning of the prompt. */
  readonly prompt: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The id of a tree of git. */
  readonly before: string;
  /** Undefined: the turn runs, or its process was killed. */
  readonly after?: string;
}

/** Why a patch could not be applied to a file. */
export interface PatchFailure {
  readonly path: string;
  readonly why: string;
}

/** The data of a record besides the objects of git. */
interface StoredTurns {
  /** The tree that was accepted last. */
  readonly accepted: string;
  /** The number of the last turn when everything was accepted. */
  readonly reviewed: number;
  /** The number of the last turn. */
  readonly last: number;
  readonly turns: readonly RecordedTurn[];
}

/** The turns that are kept. */
const mostTurns = 100;
/** A tree without files, which git knows in every repository. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
/**
 * The states of a folder before and after the turns of agents, no matter which program changed its files. They are stored in a repository of
 * ours outside of the folder, so the user's index, stash, refs, hooks and settings are never used. Files that `.gitignore` excludes, the
 * contents of nested repositories, files of more than 64 MiB, and empty folders are not recorded.
 */
export class FolderRecord {
  /** The recorded folder: the working tree of the repository, or the folder itself outside of a repository. */
  readonly folder: string;
  readonly #git: Git;
  readonly #states: FolderStates;
  #made: Promise<void> | undefined;

  /**
   * @param cwd an absolute path
   * @param records the folder in which records are stored
   */
  constructor(cwd: string, records: string) {
    const root = projectRoot(cwd);
    this.folder = realPath(root) ?? root;
    const name = createHash('sha256').update(this.folder).digest('hex').slice(0, 16);
    this.#git = new Git(join(records, name), this.folder);
    this.#states = new FolderStates(this.#git);
  }

  /** Whether the folder may be recorded: not if it contains the home folder of the user. */
  get isRecordable(): boolean {
    return !isInside(this.folder, homeFolder());
  }

  /** Whether a turn was recorded in this folder. */
  get exists(): boolean {
    return existsSync(this.#path('turns.json'));
  }

  /** Records the state before a turn. Rejects if git is missing or fails. */
  async begin(turn: Pick<RecordedTurn, 'sessionId' | 'agent' | 'prompt'>): Promise<RecordedTurn> {
    await this.#ready();
    return this.#locked(async () => {
      const before = await this.#states.now();
      const stored = await this.#stored();
      const { last, turns } = stored;
      const begun = { number: last + 1, at: Date.now(), ...turn, before };
      await this.#keep(`turns/${begun.number}/before`, before);
      // Without a turn to review, changes since the last review are the user's own.
      const isReviewed = turns.every(({ number }) => number <= stored.reviewed);
      if (isReviewed) await this.#keep('accepted', before);
      await this.#store({
        ...stored,
        ...(isReviewed && { accepted: before }),
        last: begun.number,
        turns: [...turns, begun],
      });
      return begun;
    });
  }

  /** Records the state after a turn. A turn that changed nothing is forgotten. */
  async end({ number, before }: RecordedTurn): Promise<void> {
    await this.#locked(async () => {
      const after = await this.#states.now();
      const { turns: all, ...rest } = await this.#stored();
      const changed = all.filter((turn) => turn.number !== number || after !== before);
      const turns = changed.map((turn) => (turn.number === number ? { ...turn, after } : turn)).slice(-mostTurns);
      const kept = new Set(turns.map((turn) => turn.number));
      if (after !== before) await this.#keep(`turns/${number}/after`, after);
      for (const turn of all) if (!kept.has(turn.number)) await this.#forget(turn);
      await this.#store({ ...rest, turns });
      if (number % mostTurns === 0) await this.#git.text(['gc', '--auto', '--quiet']);
    });
  }

  /** The recorded turns that changed a file, oldest first. */
  async turns(): Promise<readonly RecordedTurn[]> {
    return this.exists ? (await this.#stored()).turns : [];
  }

  /** The changes since the state that was accepted last, no matter who made them. Rejects for a folder that is not {@link isRecordable}. */
  async changes(): Promise<readonly ChangedFile[]> {
    if (!this.isRecordable)
      throw new GitError(
        `${this.folder} contains your home folder, so it is not recorded; work in the folder of a project`,
      );
    if (!this.exists) return [];
    await this.#ready();
    return this.#locked(async () => this.#between((await this.#stored()).accepted, await this.#states.now()));
  }

  /** The changes of a turn; of a running one, until now. */
  async changesOf({ before, after }: RecordedTurn): Promise<readonly ChangedFile[]> {
    await this.#ready();
    return this.#locked(async () => this.#between(before, after ?? (await this.#states.now())));
  }

  /** The texts of a file before and after its change: `null` for a file that does not exist. */
  async textsOf({ blobs }: ChangedFile): Promise<{ readonly before: string | null; readonly after: string | null }> {
    const textOf = async (id: string): Promise<string | null> =>
      /^0+$/.test(id) ? null : this.#git.text(['cat-file', 'blob', id]);
    return { before: await textOf(blobs.before), after: await textOf(blobs.after) };
  }

  /** Accepts everything. */
  async acceptAll(): Promise<void> {
    await this.#ready();
    return this.#locked(async () => this.#accept(await this.#states.now(), (await this.#stored()).last));
  }

  /** Accepts patches of {@link changes}: they are not shown again. The files stay as they are. */
  accept(patches: readonly string[]): Promise<void> {
    return this.#locked(async () => {
      const index = this.#path('accepting');
      try {
        await this.#git.text(['read-tree', (await this.#stored()).accepted], { index });
        await this.#git.text(['apply', '--cached', '--whitespace=nowarn', '-'], {
          index,
          input: Buffer.from(patches.join(''), 'latin1'),
        });
        await this.#accept(await this.#git.line(['write-tree'], { index }));
      } finally {
        await rm(index, { force: true });
      }
    });
  }

  /**
   * Takes changes back in the files, each file by itself. A file that was changed since is left as it is. Resolves with the files that were
   * left, and why.
   */
  takeBack(changes: readonly Pick<ChangedFile, 'path' | 'change' | 'patch'>[]): Promise<readonly PatchFailure[]> {
    return this.#locked(async () => {
      const failures: PatchFailure[] = [];
      // A new file may have taken the place of a folder, or a new folder that of a file.
      const isNew = ({ change }: Pick<ChangedFile, 'change'>): boolean => change === 'added';
      for (const { path, patch } of [...changes.filter(isNew), ...changes.filter((each) => !isNew(each))]) {
        try {
          await this.#git.text(['apply', '--reverse', '--whitespace=nowarn', '-'], {
            input: Buffer.from(patch, 'latin1'),
          });
        } catch (error) {
          if (!(error instanceof GitError)) throw error;
          failures.push({ path, why: error.message });
        }
      }
      return failures;
    });
  }

  #ready(): Promise<void> {
    return (this.#made ??= this.#make());
  }

  async #make(): Promise<void> {
    await mkdir(this.#git.repository, { recursive: true, mode: 0o700 });
    await this.#locked(async () => {
      await this.#states.prepare();
      if (!this.exists) await this.#store({ accepted: emptyTree, reviewed: 0, last: 0, turns: [] });
    });
  }

  async #between(before: string, after: string): Promise<readonly ChangedFile[]> {
    if (before === after) return [];
    const how = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--full-index', before, after];
    const [raw, patch] = await Promise.all([
      this.#git.text(['diff', '--raw', '-z', ...how]),
      this.#git.bytes(['diff', '--binary', ...how]),
    ]);
    return changedFiles(raw, patch.toString('latin1'));
  }

  async #accept(accepted: string, reviewed?: number): Promise<void> {
    await this.#keep('accepted', accepted);
    await this.#store({ ...(await this.#stored()), accepted, ...(reviewed !== undefined && { reviewed }) });
  }

  /** Keeps a tree: git removes objects that no ref leads to. */
  async #keep(name: string, tree: string): Promise<void> {
    await this.#git.text(['update-ref', `refs/turnwire/${name}`, tree]);
  }

  async #forget({ number }: RecordedTurn): Promise<void> {
    for (const name of ['before', 'after'])
      await this.#git.text(['update-ref', '-d', `refs/turnwire/turns/${number}/${name}`]);
  }

  async #stored(): Promise<StoredTurns> {
    return JSON.parse(await readFile(this.#path('turns.json'), 'utf8')) as StoredTurns;
  }

  async #store(stored: StoredTurns): Promise<void> {
    await replaceFile(this.#path('turns.json'), `${JSON.stringify(stored)}\n`);
  }

  #path(name: string): string {
    return join(this.#git.repository, name);
  }

  #locked<Value>(work: () => Promise<Value>): Promise<Value> {
    return withLock(this.#path('lock'), work, { timeout: 60_000 });
  }
}
