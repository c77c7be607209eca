import { globMatcher } from './glob.ts';

/** A line of an ignore file. */
interface IgnoreRule {
  readonly isException: boolean;
  readonly isForFolders: boolean;
  readonly matches: (path: string) => boolean;
}

/** Lines of one file that count. */
const mostLines = 10_000;

/** The rules of one file like `.gitignore` (https://git-scm.com/docs/gitignore), for paths relative to its folder. */
export class IgnoreFile {
  readonly #rules: readonly IgnoreRule[];

  /**
   * @param text what the file says: 10,000 lines of it count
   * @param lookedInto a folder further down that is looked into in any case: rules that leave it out as a whole do not count
   */
  constructor(text: string, lookedInto?: string) {
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/, mostLines);
    const rules = lines.flatMap((line) => ruleOf(line) ?? []);
    const names = lookedInto?.split('/') ?? [];
    const whole = names.map((_, at) => names.slice(0, at + 1).join('/'));
    this.#rules = rules.filter(({ isException, matches }) => isException || !whole.some(matches));
  }

  /** What the last rule about a path says; undefined if none is about it. What a folder holds goes with the folder. */
  verdict(path: string, isFolder: boolean): 'out' | 'in' | undefined {
    const rule = this.#rules.findLast(({ isForFolders, matches }) => (isFolder || !isForFolders) && matches(path));
    return rule && (rule.isException ? 'in' : 'out');
  }
}

function ruleOf(line: string): IgnoreRule | undefined {
  // A space at the end counts only behind a backslash.
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
