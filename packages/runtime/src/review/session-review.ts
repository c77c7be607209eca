import type {
  ReviewedChange,
  ReviewedFile,
  ReviewedText,
  ReviewedTurn,
  ReviewOverview,
  ReviewResult,
  UnsentComment,
} from '@turnwire/protocol';
import { gitBranch } from '@turnwire/machine';
import { type ChangedFile, type ChosenChange, commentOn, type FolderRecord } from '@turnwire/machine/folder-record';
import type { Place } from '../places/place.ts';
import { commitReview, proposedCommit, type ReviewCommit } from './commit-review.ts';

/** Longer changes of a file are not sent, in bytes. */
const longestPatch = 2_000_000;
/** A longer patch of all changes is refused, in bytes: it would break the connection, whose messages are limited to 64 MiB. */
const longestWholePatch = 32 * 1024 * 1024;
/** Longer files are sent without the lines between their hunks, in UTF-16 units. */
const longestText = 500_000;
/** The number of turns that are listed. */
const mostTurns = 20;
/** If more files are rejected at once, the comments for the agent only name them. */
const mostQuoted = 10;
/** Longer rejected changes are named and not quoted, in bytes. */
const longestQuoted = 20_000;

/** Options of a {@link SessionReview}. */
export interface SessionReviewParts {
  readonly record: FolderRecord;
  readonly sessionId: string;
  /** Resolves when the last turn is recorded. */
  readonly recorded: Promise<void>;
  /** Whether the client may see the file at a path of the record, and whether it may see all files. */
  readonly shows: (path: string) => boolean;
  readonly showsAll: boolean;
  /** The place in which the session works. */
  readonly place?: Pick<Place, 'name' | 'kind'> | undefined;
}

/** The review of a session's folder for a client. All methods reject with GitError if git is missing or fails. */
export class SessionReview {
  readonly #parts: SessionReviewParts;

  constructor(parts: SessionReviewParts) {
    this.#parts = parts;
  }

  /** The changes to review, without their texts. */
  async overview(): Promise<ReviewOverview> {
    const { record, shows, showsAll, place } = this.#parts;
    const [files, turns, comments, commit] = await Promise.all([
      this.#changes(),
      this.#turns(),
      record.comments.list(),
      // A repository that git cannot read is reviewed all the same.
      showsAll ? proposedCommit(record).catch(() => undefined) : undefined,
    ]);
    const branch = gitBranch(record.folder);
    return {
      folder: record.folder,
      ...(branch !== undefined && { branch }),
      ...(place && { place: { name: place.name, kind: place.kind } }),
      files: files.map(fileView),
      comments: comments.filter(({ path }) => shows(path)),
      turns: turns.map(turnView).slice(-mostTurns),
      ...(commit && { commit }),
    };
  }

  /** The changes of a file. Throws `RangeError` if it has none. */
  async file(path: string): Promise<ReviewedText> {
    const file = await this.#changed(path);
    if (file.patch.length > longestPatch) return { file: fileView(file), hunks: [], isTooLong: true };
    const hunks = file.hunks.map(({ lines, ...hunk }) => ({ ...hunk, lines: lines.map(decoded) }));
    const { after } = hunks.length > 0 ? await this.#parts.record.textsOf(file) : { after: null };
    return {
      file: fileView(file),
      hunks,
      ...(after !== null && after.length <= longestText && { text: after }),
    };
  }

  /** Accepts changes, or takes them back in the files. Changes that the user has not seen stay. */
  async decide(decision: 'accept' | 'reject', changes: readonly ReviewedChange[]): Promise<ReviewResult> {
    const { record } = this.#parts;
    const files = new Map((await this.#changes(changes.map(({ path }) => path))).map((file) => [file.path, file]));
    const chosen = changes.flatMap((change) => chosenChange(files.get(change.path), change) ?? []);
    const found = new Set(chosen.map(({ file }) => file.path));
    const failures = changes
      .filter(({ path }) => !found.has(path))
      .map(({ path }) => ({ path, why: 'it has changed since you saw it; check it again' }));
    if (decision === 'accept') {
      await record.accept(chosen);
      return { failures };
    }
    const { restored, failures: left } = await record.takeBack(chosen);
    const taken = new Set(restored.map(({ path }) => path));
    const rejected = chosen.filter(({ file }) => taken.has(file.path));
    for (const each of rejected) await record.comments.add(rejection(each, rejected.length <= mostQuoted));
    return { failures: [...failures, ...left] };
  }

  /** Adds a comment on a changed file. Throws `RangeError` for a file or lines that do not exist. */
  async comment(comment: Omit<UnsentComment, 'code'>): Promise<void> {
    const { record } = this.#parts;
    const file = await this.#changed(comment.path);
    const { after, before } = comment.lines ? await record.textsOf(file) : { after: '', before: '' };
    await record.comments.add(commentOn(after ?? before ?? '', comment));
  }

  /** Removes a comment. */
  async forget(comment: UnsentComment): Promise<void> {
    await this.#parts.record.comments.remove([comment]);
  }

  /** Passes the comments to `send` as a prompt, and removes them once it was sent. Undefined without comments. */
  async send<Sent>(send: (prompt: string) => Promise<Sent>): Promise<Sent | undefined> {
    const { record, shows } = this.#parts;
    return record.comments.send(({ path }) => shows(path), send);
  }

  /** Commits what was accepted. Throws `RangeError` for a client that may not see all files. */
  async commit(message: string | undefined): Promise<ReviewCommit> {
    const { record, showsAll } = this.#parts;
    if (!showsAll) throw new RangeError('the repository contains folders that you may not use, so you cannot commit');
    return commitReview(record, { message });
  }

  /** The changes as a patch for `git apply`. Throws `RangeError` if it has more than 32 MiB. */
  async patch(): Promise<Buffer> {
    const files = await this.#changes();
    if (files.reduce((sum, { patch }) => sum + patch.length, 0) > longestWholePatch)
      throw new RangeError(
        'the patch has more than 32 MiB; turnwire review diff prints it on the machine of the folder',
      );
    return Buffer.from(files.map(({ patch }) => patch).join(''), 'latin1');
  }

  /** Takes back what a turn of this session changed. Throws `RangeError` if there is no such turn, or it changed files that the client may not see. */
  async undo(number: number): Promise<ReviewResult & { readonly restored: readonly string[] }> {
    const { record, shows } = this.#parts;
    const turn = (await this.#turns()).find((each) => each.number === number && each.isUndone !== true);
    if (!turn) throw new RangeError(`turn ${number} of this session cannot be undone`);
    if (!(await record.changesOf(turn)).every(({ path }) => shows(path)))
      throw new RangeError(`turn ${number} changed files outside of the folders that you may use`);
    const { restored, failures } = await record.undo(turn);
    const paths = restored.map(({ path }) => path);
    for (const path of paths)
      await record.comments.add({ path, text: 'I have undone what your turn changed in this file.' });
    return { restored: paths, failures };
  }

  async #changes(paths?: readonly string[]): Promise<readonly ChangedFile[]> {
    const { record, shows } = this.#parts;
    return (await record.changes(paths)).filter(({ path }) => shows(path));
  }

  async #changed(path: string): Promise<ChangedFile> {
    const [file] = await this.#changes([path]);
    if (!file) throw new RangeError(`${path} has no changes to review`);
    return file;
  }

  /** The finished turns of this session. */
  async #turns(): Promise<ReturnType<FolderRecord['turns']>> {
    const { record, sessionId, recorded } = this.#parts;
    await recorded;
    return (await record.turns()).filter((turn) => turn.sessionId === sessionId && turn.after !== undefined);
  }
}

function fileView(file: ChangedFile): ReviewedFile {
  const { path, change, added, removed, hunks } = file;
  return { path, change, added, removed, hunks: hunks.length, version: versionOf(file) };
}

function versionOf({ before, after }: ChangedFile): string {
  const one = (entry: ChangedFile['before']): string => (entry ? `${entry.mode}-${entry.id}` : '');
  return `${one(before)}:${one(after)}`;
}

function turnView({ number, at, prompt, isUndone }: ReviewedTurn): ReviewedTurn {
  return { number, at, prompt, ...(isUndone && { isUndone }) };
}

/** The named change as it is now. Undefined if a part of it is missing. */
function chosenChange(file: ChangedFile | undefined, change: ReviewedChange): ChosenChange | undefined {
  if (!file) return undefined;
  if ('version' in change) return change.version === versionOf(file) ? { file } : undefined;
  const hunks = new Set(file.hunks.filter(({ id }) => change.hunks.includes(id)));
  const isWhole = new Set(change.hunks).size === new Set([...hunks].map(({ id }) => id)).size;
  return isWhole && hunks.size > 0 ? { file, hunks } : undefined;
}

function rejection({ file, hunks }: ChosenChange, isQuoted: boolean): UnsentComment {
  const { path } = file;
  const lines = [...(hunks ?? file.hunks)].flatMap((hunk) => hunk.lines);
  const code = decoded(lines.join('\n'));
  const what = hunks ? 'these changes' : 'all changes of this file';
  return {
    path,
    ...(isQuoted && code !== '' && code.length <= longestQuoted && { code }),
    text: `I have rejected ${what} and taken them back in the file.`,
  };
}

/** Patches are bytes. */
function decoded(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}
