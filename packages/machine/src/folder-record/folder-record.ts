import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from '../file-lock.ts';
import { isInside } from '../is-inside.ts';
import { homeFolder } from '../own-folders.ts';
import { projectRoot } from '../project-root.ts';
import { realPath } from '../real-path.ts';
import { type ChangedFile, changedFiles, type ChosenChange, patchOf, type TreeEntry } from './changed-files.ts';
import { emptyTree, filesOfTurns } from './files-of-turns.ts';
import { FolderStates } from './folder-states.ts';
import { Git, GitError } from './git.ts';
import { type RecordedTurn, RecordedTurns } from './recorded-turns.ts';
import { ReviewComments } from './review-comments.ts';
import {
  ChangedSince,
  type PatchFailure,
  planRestorations,
  type Restoration,
  type RestorationPlan,
  restore,
  restoredContent,
  setEntries,
} from './restorations.ts';

/** A turn that begins. */
export type TurnStart = Pick<RecordedTurn, 'id' | 'sessionId' | 'agentSessionId' | 'agent' | 'prompt'>;

/** The files that were written or removed to take changes back, and those that were left as they are. */
export interface TakenBack {
  readonly restored: readonly Restoration[];
  readonly failures: readonly PatchFailure[];
}

/** A turn cannot be undone as a whole, because its end was not recorded: changes that the user made later look like its own. */
export class UnfinishedTurn extends Error {
  override readonly name = 'UnfinishedTurn';

  constructor() {
    super(
      'the turn was interrupted, so its changes cannot be distinguished from later ones, which may be yours; turnwire review takes back single files',
    );
  }
}

/** The turns that are kept. */
const mostTurns = 100;
/** The largest number of files that one call of git names. */
const mostPaths = 200;

/**
 * The states of a folder before and after the turns of agents, no matter which program changed its files. They are stored in a repository of
 * ours outside of the folder, so the user's index, stash, refs, hooks and settings are never used. Files that `.gitignore` excludes, the
 * contents of nested repositories, files of more than 64 MiB, and empty folders are not recorded. Of a folder that contains the home folder of
 * the user, only the files are recorded that a tool names.
 */
export class FolderRecord {
  /** The recorded folder: the working tree of the repository, or the folder itself outside of a repository. */
  readonly folder: string;
  /** The comments of the user that were not sent yet. */
  readonly comments: ReviewComments;
  readonly #git: Git;
  readonly #states: FolderStates;
  readonly #turns: RecordedTurns;
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
    this.#states = new FolderStates(this.#git, { isWhole: !isInside(this.folder, homeFolder()) });
    this.#turns = new RecordedTurns(this.#git);
    this.comments = new ReviewComments(this.#git.repository);
  }

  /** Whether git, which stores the states, is installed. */
  get hasGit(): boolean {
    return this.#git.isInstalled;
  }

  /** Whether all files of the folder may be recorded: not if it contains the home folder of the user, or is on another machine. */
  get isRecordable(): boolean {
    return !isInside(this.folder, homeFolder()) && existsSync(this.folder);
  }

  /** Whether a turn was recorded in this folder. */
  get exists(): boolean {
    return this.#turns.exist;
  }

  /** The state of the folder now, for a turn that may be recorded later. Rejects if git is missing or fails. */
  async state(): Promise<string> {
    await this.#ready();
    return this.#locked(() => this.#now());
  }

  /**
   * Records the state before a turn. If another program records the turn already, that one is returned. Rejects if git is missing or fails.
   * @param state the state before the turn, as `state()` returned it. Default: the state now
   */
  async begin(turn: TurnStart, state?: string): Promise<RecordedTurn> {
    await this.#ready();
    return this.#locked(async () => {
      const stored = await this.#turns.read();
      const open = stored.turns.find(({ id, after }) => id === turn.id && after === undefined);
      if (open) return open;
      const before = state ?? (await this.#states.now(stored.included));
      const begun = { number: stored.last + 1, at: Date.now(), ...turn, before };
      await this.#turns.keep(`turns/${begun.number}/before`, before);
      // Without a turn to review, changes since the last review are the user's own.
      const isReviewed = stored.turns.every(({ number }) => number <= stored.reviewed);
      if (isReviewed) await this.#turns.keep('accepted', before);
      await this.#turns.change({
        ...(isReviewed && { accepted: before }),
        last: begun.number,
        turns: [...stored.turns, begun],
      });
      return begun;
    });
  }

  /**
   * Records the files at a path that are left out otherwise, such as ignored ones. To be called before they are changed in a turn.
   * @param path absolute, in the folder
   * @returns why they cannot be recorded, if they cannot
   */
  async include(path: string): Promise<string | undefined> {
    if (!(await this.#states.leavesOut(path))) return undefined;
    return this.#locked(async () => {
      const stored = await this.#turns.read();
      const found = await this.#states.filesAt(path);
      if (typeof found === 'string') return found;
      const added = found.filter((each) => !stored.included.includes(each));
      if (added.length === 0) return undefined;
      const accepted = await this.#states.withFiles(stored.accepted, added);
      await this.#turns.keep('accepted', accepted);
      const turns: RecordedTurn[] = [];
      for (const turn of stored.turns) {
        if (turn.after === undefined) {
          // For every running turn: the files exist already, and would look like files that the turn added.
          const before = await this.#states.withFiles(turn.before, added);
          await this.#turns.keep(`turns/${turn.number}/before`, before);
          turns.push({ ...turn, before });
        } else turns.push(turn);
      }
      await this.#turns.change({ accepted, turns, included: [...stored.included, ...added] });
      return undefined;
    });
  }

  /** Records the state after a turn. A turn that changed nothing is forgotten. */
  async end({ number }: RecordedTurn): Promise<void> {
    await this.#locked(async () => {
      const { turns: all, included } = await this.#turns.read();
      const after = await this.#states.now(included);
      const isChanged = (turn: RecordedTurn): boolean => turn.number !== number || after !== turn.before;
      const turns = all
        .filter(isChanged)
        .map((turn) => (turn.number === number ? { ...turn, after } : turn))
        .slice(-mostTurns);
      const kept = new Set(turns.map((turn) => turn.number));
      if (kept.has(number)) await this.#turns.keep(`turns/${number}/after`, after);
      for (const turn of all) if (!kept.has(turn.number)) await this.#turns.forget(turn);
      await this.#turns.change({ turns });
      if (number % mostTurns === 0) await this.#git.text(['gc', '--auto', '--quiet']);
    });
  }

  /** The recorded turns that changed a file, oldest first. */
  async turns(): Promise<readonly RecordedTurn[]> {
    return this.exists ? (await this.#turns.read()).turns : [];
  }

  /**
   * The changes since the state that was accepted last, no matter who made them. Rejects for a folder that is not {@link isRecordable}, and
   * without git.
   * @param paths only these files. Default: all
   */
  async changes(paths?: readonly string[]): Promise<readonly ChangedFile[]> {
    if (!this.isRecordable)
      throw new GitError(
        `${this.folder} contains your home folder, so it is not recorded; work in the folder of a project`,
      );
    if (!this.hasGit) throw new GitError('git is not installed, so the changes of agents are not recorded');
    if (!this.exists) return [];
    await this.#ready();
    return this.#locked(async () => this.#between((await this.#turns.read()).accepted, await this.#now(), paths));
  }

  /** The changes of a turn; of one that runs or was interrupted, those until now, no matter who made them. */
  async changesOf({ before, after }: RecordedTurn): Promise<readonly ChangedFile[]> {
    await this.#ready();
    return this.#locked(async () => this.#between(before, after ?? (await this.#now())));
  }

  /** The texts of a file before and after its change: `null` for a file that does not exist. */
  async textsOf(file: ChangedFile): Promise<{ readonly before: string | null; readonly after: string | null }> {
    const textOf = async (id: string | undefined): Promise<string | null> =>
      id === undefined ? null : this.#git.text(['cat-file', 'blob', id]);
    return { before: await textOf(file.before?.id), after: await textOf(file.after?.id) };
  }

  /** Accepts everything. */
  async acceptAll(): Promise<void> {
    await this.#ready();
    return this.#locked(async () => this.#accept(await this.#now(), (await this.#turns.read()).last));
  }

  /** Accepts some of the {@link changes}: they are not shown again. The files stay as they are. */
  async accept(chosen: readonly ChosenChange[]): Promise<void> {
    await this.#ready();
    await this.#locked(async () => {
      const index = join(this.#git.repository, 'accepting');
      try {
        await this.#git.text(['read-tree', (await this.#turns.read()).accepted], { index });
        const whole = chosen.filter(({ hunks }) => !hunks);
        await setEntries(
          this.#git,
          whole.map(({ file: { path, after } }) => [path, after] as const),
          index,
        );
        const patches = chosen.flatMap(({ file, hunks }) => (hunks ? [patchOf(file, hunks, 'before')] : []));
        const input = Buffer.from(patches.join(''), 'latin1');
        if (input.length > 0) await this.#git.text(['apply', '--cached', '--whitespace=nowarn', '-'], { index, input });
        await this.#accept(await this.#git.line(['write-tree'], { index }));
      } finally {
        await rm(index, { force: true });
      }
    });
  }

  /**
   * The files that turns changed and that were not undone. Undefined: there is no such file.
   * @param state `now`: as they are. `accepted`: as they were accepted last; only those of which something was accepted
   */
  async filesOfTurns(state: 'accepted' | 'now'): Promise<ReadonlyMap<string, TreeEntry | undefined>> {
    await this.#ready();
    return this.#locked(async () => {
      const { accepted, turns } = await this.#turns.read();
      const tree = state === 'now' ? await this.#now() : accepted;
      return filesOfTurns(this.#git, turns, { tree, isAccepted: state === 'accepted' });
    });
  }

  /** The content of a file of {@link filesOfTurns}. */
  blob({ id }: TreeEntry): Promise<Buffer> {
    return this.#git.bytes(['cat-file', 'blob', id]);
  }

  /** Plans the restoration of files, one by one. Later changes of other lines stay. */
  async planTakingBack(chosen: readonly ChosenChange[]): Promise<RestorationPlan> {
    await this.#ready();
    return this.#locked(async () => {
      const plan = await planRestorations(this.#git, await this.#now(), chosen);
      // Records restored files even if `.gitignore` excludes them now.
      const put = plan.planned.filter(({ now }) => !now);
      const index = join(this.#git.repository, 'index');
      await setEntries(
        this.#git,
        put.map(({ path, to }) => [path, to] as const),
        index,
      );
      return plan;
    });
  }

  /** The content of a file after its restoration. Undefined if it is removed. */
  contentOf(restoration: Restoration): Promise<Buffer | undefined> {
    return restoredContent(this.#git, restoration);
  }

  /** Writes or removes a planned file. Rejects with {@link ChangedSince} if it has changed since, or cannot be written. */
  restore(restoration: Restoration): Promise<void> {
    return restore(this.#git, restoration);
  }

  /** All changes of a turn, to take them back. Rejects with {@link UnfinishedTurn} if its end was not recorded. */
  async changesToUndo(turn: RecordedTurn): Promise<readonly ChosenChange[]> {
    if (turn.after === undefined) throw new UnfinishedTurn();
    return (await this.changesOf(turn)).map((file) => ({ file }));
  }

  /** Restores the files as they were before a turn, and marks it as undone. Rejects with {@link UnfinishedTurn} if its end was not recorded. */
  async undo(turn: RecordedTurn): Promise<TakenBack> {
    const done = await this.takeBack(await this.changesToUndo(turn));
    await this.markUndone(turn);
    return done;
  }

  /** Marks a turn as undone. */
  async markUndone({ number }: RecordedTurn): Promise<void> {
    await this.#locked(async () => {
      const { turns } = await this.#turns.read();
      await this.#turns.change({
        turns: turns.map((turn) => (turn.number === number ? { ...turn, isUndone: true } : turn)),
      });
    });
  }

  /** Takes changes back in the files. Resolves with the files that were written or removed, and those that were left as they are. */
  async takeBack(chosen: readonly ChosenChange[]): Promise<TakenBack> {
    const { planned, failures: conflicts } = await this.planTakingBack(chosen);
    const restored: Restoration[] = [];
    const failures = [...conflicts];
    for (const each of planned)
      try {
        await this.restore(each);
        restored.push(each);
      } catch (error) {
        if (!(error instanceof ChangedSince)) throw error;
        failures.push({ path: each.path, why: error.message });
      }
    return { restored, failures };
  }

  #ready(): Promise<void> {
    this.#made ??= this.#make().catch((error: unknown) => {
      // The next call tries again.
      this.#made = undefined;
      throw error;
    });
    return this.#made;
  }

  async #make(): Promise<void> {
    await mkdir(this.#git.repository, { recursive: true, mode: 0o700 });
    await this.#locked(async () => {
      await this.#states.prepare();
      if (!this.exists) await this.#turns.write({ accepted: emptyTree, reviewed: 0, last: 0, turns: [], included: [] });
    });
  }

  async #now(): Promise<string> {
    return this.#states.now((await this.#turns.read()).included);
  }

  async #between(before: string, after: string, paths?: readonly string[]): Promise<readonly ChangedFile[]> {
    const possible = paths?.filter(canBeRecorded);
    if (before === after || possible?.length === 0) return [];
    // More paths than this are slower than all, and too long for a command line.
    const only = possible && possible.length <= mostPaths ? ['--', ...possible] : [];
    const how = [
      '--no-renames',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      '--full-index',
      '--no-abbrev',
      before,
      after,
      ...only,
    ];
    const [raw, patch] = await Promise.all([
      this.#git.text(['diff', '--raw', '-z', ...how]),
      this.#git.bytes(['diff', '--binary', ...how]),
    ]);
    const files = changedFiles(raw, patch.toString('latin1'));
    // git takes a path for everything below it, too.
    return possible ? files.filter(({ path }) => possible.includes(path)) : files;
  }

  async #accept(accepted: string, reviewed?: number): Promise<void> {
    await this.#turns.keep('accepted', accepted);
    await this.#turns.change({ accepted, ...(reviewed !== undefined && { reviewed }) });
  }

  #locked<Value>(work: () => Promise<Value>): Promise<Value> {
    return withLock(join(this.#git.repository, 'lock'), work, { timeout: 60_000 });
  }
}

/** The longest path that a system accepts, in UTF-16 units. */
const longestPath = 4_096;

/** Whether a file of a record may have a path. For any other git would fail, and leave out the changes of all. */
function canBeRecorded(path: string): boolean {
  const names = path.split('/');
  return path.length <= longestPath && !path.includes('\0') && !names.some((name) => ['', '.', '..'].includes(name));
}
