import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorText } from '@turnwire/client/error-text';
import { commonGitFolder, gitFolder } from '@turnwire/machine';
import { type FolderRecord, GitError, type TreeEntry } from '@turnwire/machine/folder-record';
import { UserGit } from '../places/user-git.ts';

/** A commit of reviewed changes. */
export interface WantedCommit {
  /** Default: the first line of the first prompt whose turn changed one of the files, of up to 72 characters. */
  readonly message?: string | undefined;
  /** Whether to accept and commit everything that agents changed. Default: only accepted changes. */
  readonly isWhole?: boolean | undefined;
  /** Whether the hooks of the repository run. An agent may have written them. Default: false. */
  readonly runsHooks?: boolean | undefined;
}

/** A commit that was made. */
export interface ReviewCommit {
  /** Its id. */
  readonly commit: string;
  readonly message: string;
  /** The committed files, relative to the root of the repository. */
  readonly files: readonly string[];
  /** Whether the repository has hooks that did not run. */
  readonly skippedHooks: boolean;
}

/** The number of files whose contents are compared for a proposal: each costs a call of git. */
const mostHashed = 20;
/** The longest proposed message, in UTF-16 units. */
const longestProposal = 72;

/** A commit that can be made. */
export type ProposedCommit = Pick<ReviewCommit, 'message' | 'files'>;

/**
 * Commits the files that turns changed as they were accepted, on the branch that is checked out, with the user's identity. Other files, and
 * changes that were not accepted, stay uncommitted. The user's index changes only for these files, as with `git commit -- FILES`. Rejects with GitError
 * outside of a repository, during a merge or a rebase, and if there is nothing to commit.
 */
export async function commitReview(
  record: FolderRecord,
  { message, isWhole = false, runsHooks = false }: WantedCommit,
): Promise<ReviewCommit> {
  if (!isRepository(record))
    throw new GitError(`${record.folder} is not in a git repository: there is nowhere to commit`);
  const git = new UserGit(record.folder, { runsHooks });
  refuseBusy(git);
  return withIndex(git, async ({ index, head }) => {
    const { files, lines } = await staged(git, record, { index, isWhole });
    if (files.length === 0)
      throw new GitError(
        isWhole
          ? 'agents have changed nothing that is not committed'
          : 'nothing that was accepted is uncommitted; accept changes first, or commit all of them',
      );
    const said = message ?? (await proposedMessage(record, files));
    // The index is that of the commit before: it would take back what another commit has changed since.
    if ((await headOf(git)) !== head) throw new GitError('another commit was made meanwhile; commit again');
    await git.text(['commit', '--quiet', '-m', said], { index });
    const commit = await git.line(['rev-parse', 'HEAD']);
    if (isWhole) await record.acceptAll();
    await git.text(['update-index', '-z', '--index-info'], { input: lines }).catch((error: unknown) => {
      throw new GitError(
        `${commit} was committed, but its files are not in the index: ${errorText(error)}. Run git restore --staged with these files`,
      );
    });
    return { commit, message: said, files, skippedHooks: !runsHooks && (await hasHooks(git)) };
  });
}

/** The commit that {@link commitReview} would create from the accepted changes. Undefined outside of a repository, and if there is nothing to commit. */
export async function proposedCommit(record: FolderRecord): Promise<ProposedCommit | undefined> {
  if (!isRepository(record) || !record.exists) return undefined;
  const git = new UserGit(record.folder);
  const { files } = await withIndex(git, ({ index }) =>
    staged(git, record, { index, isWhole: false, isProposal: true }),
  );
  return files.length === 0 ? undefined : { files, message: await proposedMessage(record, files) };
}

function isRepository({ folder }: FolderRecord): boolean {
  return existsSync(join(folder, '.git'));
}

/** What git leaves in its folder until the user ends it. A commit of ours would end a merge without its changes, or become part of a rebase. */
const unfinished: readonly (readonly [entry: string, what: string])[] = [
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
];

/** Throws GitError while the user is in the middle of something, or another program writes the index. */
function refuseBusy({ folder }: UserGit): void {
  const has = (entry: string): boolean => existsSync(join(gitFolder(folder), entry));
  const found = unfinished.find(([entry]) => has(entry));
  if (found) throw new GitError(`${folder} is in the middle of ${found[1]}: finish or abort it, then commit`);
  if (has('index.lock')) {
    const lock = join(gitFolder(folder), 'index.lock');
    throw new GitError(`another git works in ${folder}; commit when it has ended. If none runs, remove ${lock}`);
  }
}

async function hasHooks(git: UserGit): Promise<boolean> {
  const names = await readdir(join(commonGitFolder(git.folder), 'hooks')).catch(() => []);
  if (names.some((name) => !name.endsWith('.sample'))) return true;
  return git.line(['config', '--local', '--get', 'core.hooksPath']).then(
    (path) => path !== '',
    () => false,
  );
}

/** The last commit. Undefined: there is none. */
async function headOf(git: UserGit): Promise<string | undefined> {
  return git.line(['rev-parse', '--verify', '--quiet', 'HEAD']).catch(() => undefined);
}

/** An index of ours, and the commit whose files it has. */
interface OwnIndex {
  readonly index: string;
  readonly head: string | undefined;
}

/** Works with an index of ours that has the files of the last commit. */
async function withIndex<Value>(git: UserGit, work: (own: OwnIndex) => Promise<Value>): Promise<Value> {
  const temporary = await mkdtemp(join(tmpdir(), 'turnwire-commit-'));
  const index = join(temporary, 'index');
  try {
    const head = await headOf(git);
    await git.text(['read-tree', head === undefined ? '--empty' : head], { index });
    return await work({ index, head });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Puts the changes of turns into an index. Resolves with the files that differ from the last commit. */
async function staged(
  git: UserGit,
  record: FolderRecord,
  { index, isWhole, isProposal = false }: StagingOptions,
): Promise<{ readonly files: readonly string[]; readonly lines: string }> {
  const before = await entriesOf(git, index);
  const turns = await record.filesOfTurns(isWhole ? 'now' : 'accepted');
  const changed = new Map([...turns].filter(([path, entry]) => idIn(before.get(path)) !== entry?.id));
  if (isProposal && changed.size > mostHashed) return { files: [...changed.keys()].toSorted(), lines: '' };
  const modes = [...turns].flatMap(([path, entry]) => {
    const isSame = changed.has(path) || !entry || before.get(path)?.startsWith(`${entry.mode} `);
    return isSame ? [] : [`${entry.mode} ${entry.id}\t${path}\0`];
  });
  const lines = [...modes, ...(await indexLines(git, record, { files: changed, isProposal }))].join('');
  await git.text(['update-index', '-z', '--index-info'], { index, input: lines });
  return { files: changedNames(before, await entriesOf(git, index)), lines };
}

interface StagingOptions {
  readonly index: string;
  readonly isWhole: boolean;
  /**
   * Nothing is written to the repository. Of many files a few may be named whose filtered content is committed already: contents are compared up to
   * {@link mostHashed} files. Default: false.
   */
  readonly isProposal?: boolean;
}

/** The id in a line of `git ls-files --stage`. */
function idIn(entry: string | undefined): string | undefined {
  return entry?.split(' ')[1];
}

/** Lines for `git update-index --index-info`. The contents pass the filters of the user, as with `git add`. */
async function indexLines(
  git: UserGit,
  record: FolderRecord,
  { files, isProposal }: { readonly files: ReadonlyMap<string, TreeEntry | undefined>; readonly isProposal: boolean },
): Promise<readonly string[]> {
  const lines: string[] = [];
  const hash = isProposal ? ['hash-object', '--stdin'] : ['hash-object', '-w', '--stdin'];
  // git ignores this id, but not its length.
  const noId = await git.line(['hash-object', '--stdin'], { input: '' });
  for (const [path, entry] of files) {
    const filter = entry?.mode === '120000' ? ['--no-filters'] : [`--path=${path}`];
    const id = entry && (await git.line([...hash, ...filter], { input: await record.blob(entry) }));
    lines.push(`${entry?.mode ?? 0} ${id ?? noId}\t${path}\0`);
  }
  return lines;
}

/** The entries of an index, by path. */
async function entriesOf(git: UserGit, index: string): Promise<ReadonlyMap<string, string>> {
  const entries = await git.texts(['ls-files', '--stage', '-z'], { index });
  return new Map(entries.map((entry) => [entry.slice(entry.indexOf('\t') + 1), entry]));
}

function changedNames(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .toSorted();
}

async function proposedMessage(record: FolderRecord, files: readonly string[]): Promise<string> {
  const turns = (await record.turns()).filter(({ after, isUndone }) => after !== undefined && !isUndone);
  for (const turn of turns) {
    const changed = await record.changesOf(turn);
    const [first = ''] = turn.prompt.trim().split('\n');
    if (first !== '' && changed.some(({ path }) => files.includes(path))) return first.slice(0, longestProposal);
  }
  return 'Changes of an agent';
}
