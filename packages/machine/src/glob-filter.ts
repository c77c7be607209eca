import { globMatcher } from './glob.ts';

interface Rule {
  readonly excludes: boolean;
  readonly fits: (path: string) => boolean;
}

/** The verdict of globs on a file or folder. `chosen`: a glob names it, which overrides ignore files. */
export type GlobVerdict = 'chosen' | 'admitted' | 'excluded';

/** Selects files by globs. */
export class GlobFilter {
  readonly #rules: readonly Rule[];
  readonly #chooses: boolean;

  /**
   * @param globs as in `.gitignore`, but with `{a,b}`; one without a slash matches at any depth, one with a leading `!` excludes, and the
   * last match decides
   * @throws RangeError for one with more than 1,000 alternatives
   */
  constructor(globs: readonly string[] = []) {
    this.#rules = globs.map((glob) => {
      const excludes = glob.startsWith('!');
      const pattern = (excludes ? glob.slice(1) : glob).replace(/\/$/, '');
      const anchored = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`;
      const matchers = alternatives(anchored).map((each) => globMatcher(each, { classes: true, isContents: true }));
      return { excludes, fits: (path) => matchers.some((matches) => matches(path)) };
    });
    this.#chooses = this.#rules.some(({ excludes }) => !excludes);
  }

  judge(path: string, isFolder: boolean): GlobVerdict {
    const rule = this.#rules.findLast(({ fits }) => fits(path));
    if (rule !== undefined) return rule.excludes ? 'excluded' : 'chosen';
    return this.#chooses && !isFolder ? 'excluded' : 'admitted';
  }
}

const maxAlternatives = 1_000;

/** `a.{b,c}` as `a.b` and `a.c`. */
function alternatives(glob: string): readonly string[] {
  const found: string[] = [];
  const pending = [glob];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (pending.length + found.length > maxAlternatives)
      throw new RangeError(`The glob ${glob} has more than ${maxAlternatives} alternatives.`);
    const braces = /(?<!\\)\{([^{}]*)\}/.exec(next);
    if (braces === null) found.push(next);
    else {
      const { 0: whole, 1: inner = '', index } = braces;
      const [before, after] = [next.slice(0, index), next.slice(index + whole.length)];
      pending.push(...inner.split(',').map((each) => before + each + after));
    }
  }
  return found;
}
