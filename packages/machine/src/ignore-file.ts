import { globMatcher } from './glob.ts';

/** A line of an ignore file. */
interface IgnoreRule {
  readonly isException: boolean;
  readonly isForFolders: boolean;
  readonly matches: (path: string) => boolean;
}

/** Lines of one file that are used. */
const maxLines = 10_000;

/** The rules of one file like `.gitignore` (https://git-scm.com/docs/gitignore), for paths relative to its folder. */
export class IgnoreFile {
  readonly #rules: readonly IgnoreRule[];

  /**
   * @param text of the file; the first 10,000 lines are used
   * @param lookedInto a subfolder that is searched in any case: rules that exclude it as a whole are ignored
   */
  constructor(text: string, lookedInto?: string) {
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/, maxLines);
    const rules = lines.flatMap((line) => ruleOf(line) ?? []);
    const names = lookedInto?.split('/') ?? [];
    const whole = names.map((_, at) => names.slice(0, at + 1).join('/'));
    this.#rules = rules.filter(({ isException, matches }) => isException || !whole.some(matches));
  }

  /** The verdict of the last rule that matches a path; undefined if none does. The contents of a folder go with the folder. */
  verdict(path: string, isFolder: boolean): 'out' | 'in' | undefined {
    const rule = this.#rules.findLast(({ isForFolders, matches }) => (isFolder || !isForFolders) && matches(path));
    return rule && (rule.isException ? 'in' : 'out');
  }
}

function ruleOf(line: string): IgnoreRule | undefined {
  // A trailing space counts only after a backslash.
  const written = line.replace(/(?<![\\ ]) +$/, '');
  if (written === '' || written.startsWith('#')) return undefined;
  const isException = written.startsWith('!');
  const pattern = isException ? written.slice(1) : written;
  const isForFolders = pattern.endsWith('/');
  const path = isForFolders ? pattern.slice(0, -1) : pattern;
  if (path === '') return undefined;
  const glob = path.includes('/') ? path.replace(/^\//, '') : `**/${path}`;
  return { isException, isForFolders, matches: globMatcher(glob, { classes: true, isContents: true }) };
}
