import { createHash } from 'node:crypto';

/** A part of a changed file that can be accepted or rejected by itself. */
export interface Hunk {
  /** Eight hexadecimal digits, made from the file and the changed lines: it stays the same while other hunks are accepted or rejected. */
  readonly id: string;
  /** Its first line before and after the change, counted from 1, and the number of its lines. */
  readonly before: { readonly line: number; readonly count: number };
  readonly after: { readonly line: number; readonly count: number };
  /** The lines with ` `, `-` or `+` before each, as bytes. `\ No newline at end of file` is a line too. */
  readonly lines: readonly string[];
}

/** A file or a link in a tree of git. */
export interface TreeEntry {
  /** `100644`, `100755` for an executable, `120000` for a link. */
  readonly mode: string;
  /** The id of its content. */
  readonly id: string;
}

/** The kind of a change. */
export type FileChange = 'added' | 'changed' | 'deleted';

/** A file that differs between two states of a folder. */
export interface ChangedFile {
  /** Relative to the recorded folder, with slashes. */
  readonly path: string;
  readonly change: FileChange;
  readonly added: number;
  readonly removed: number;
  /**
   * Empty for a binary file, for an empty one, if only its mode has changed, and if a link replaced a file: such a file is accepted or rejected
   * as a whole.
   */
  readonly hunks: readonly Hunk[];
  /** Undefined: the file did not exist. */
  readonly before: TreeEntry | undefined;
  /** Undefined: the file does not exist. */
  readonly after: TreeEntry | undefined;
  /** The lines of the patch before the first hunk. */
  readonly header: string;
  /** The whole patch of the file, as git prints it: bytes. */
  readonly patch: string;
}

/** A changed file, or some of its hunks. */
export interface ChosenChange {
  readonly file: ChangedFile;
  /** Undefined: the whole file. */
  readonly hunks?: ReadonlySet<Hunk>;
}

const changes: { readonly [letter: string]: FileChange } = { A: 'added', D: 'deleted' };

/** A file that has another entry in another tree. */
export interface ChangedEntry extends Pick<ChangedFile, 'path' | 'before' | 'after'> {
  /** The kind of change: `A`, `D`, `M`, or `T` if a link replaced a file or the reverse. */
  readonly letter: string;
}

/** Reads `git diff --raw -z`. Each record is `:mode mode id id letter`, NUL, path, NUL. */
export function changedEntries(raw: string): readonly ChangedEntry[] {
  const parts = raw.split('\0').slice(0, -1);
  return parts.flatMap((facts, at): readonly ChangedEntry[] => {
    if (at % 2 === 1) return [];
    const [mode = '', newMode = '', id = '', newId = '', letter = ''] = facts.slice(1).split(' ');
    return [{ path: parts[at + 1] ?? '', before: entry(mode, id), after: entry(newMode, newId), letter }];
  });
}

function entry(mode: string, id: string): TreeEntry | undefined {
  return mode === '000000' ? undefined : { mode, id };
}

/**
 * Reads the changes from `git diff --raw -z` and `git diff` of the same states: the first one names the files, the second one has sections for
 * each of them, in the same order.
 * @param patch each byte as a character: files may have any encoding
 */
export function changedFiles(raw: string, patch: string): readonly ChangedFile[] {
  const sections = patch.split(/(?<![^\n])(?=diff --git )/);
  let next = 0;
  return changedEntries(raw).map(({ letter, ...entries }) => {
    // A file that became a link is removed in one section and added in another.
    const isReplaced = letter === 'T';
    const own = sections.slice(next, (next += isReplaced ? 2 : 1)).join('');
    return changedFile({ ...entries, change: changes[letter] ?? 'changed' }, own, isReplaced);
  });
}

function changedFile(
  named: Pick<ChangedFile, 'path' | 'change' | 'before' | 'after'>,
  patch: string,
  isReplaced: boolean,
): ChangedFile {
  const [header = '', ...parts] = patch.split(/(?<![^\n])(?=@@ )/);
  const isWhole = isReplaced || /(?<![^\n])GIT binary patch\n/.test(header);
  const hunks = isWhole ? [] : parts.map((part) => hunk(named.path, part));
  const count = (mark: string): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(mark)).length, 0);
  return { ...named, added: count('+'), removed: count('-'), hunks, header, patch };
}

function hunk(path: string, part: string): Hunk {
  const [, line = '0', count = '1', newLine = '0', newCount = '1'] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(part) ?? [];
  const lines = part.split('\n').slice(1, -1);
  const changed = lines.filter((each) => !each.startsWith(' ')).join('\n');
  return {
    id: createHash('sha256').update(`${path}\0${changed}`).digest('hex').slice(0, 8),
    before: { line: Number(line), count: Number(count) },
    after: { line: Number(newLine), count: Number(newCount) },
    lines,
  };
}

/**
 * A patch with some hunks of a file. git looks for a hunk at the line that the patch names, and then nearby, so each line is the exact one
 * after the other hunks of this patch.
 * @param from `before`: git applies the patch to the state before the change. `after`: git applies it in reverse to the state after it
 */
export function patchOf(
  { header, hunks: all }: ChangedFile,
  hunks: ReadonlySet<Hunk>,
  from: 'before' | 'after',
): string {
  let shift = 0;
  const parts = all
    .filter((each) => hunks.has(each))
    .map(({ before, after, lines }) => {
      const [old, now] = from === 'before' ? [before.line, before.line + shift] : [after.line - shift, after.line];
      shift += after.count - before.count;
      return `@@ -${old},${before.count} +${now},${after.count} @@\n${lines.join('\n')}\n`;
    });
  // A change of the file mode is not part of a hunk.
  return header.replaceAll(/^(?:old|new) mode .*\n/gm, '') + parts.join('');
}
