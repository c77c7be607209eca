import picomatch from 'picomatch';

interface Rule {
  readonly excludes: boolean;
  readonly fits: (path: string) => boolean;
}

/** Which files globs choose; they are written as in {@link Look.globs}. */
export class GlobFilter {
  readonly #rules: readonly Rule[];
  readonly #chooses: boolean;

  constructor(globs: readonly string[] = []) {
    this.#rules = globs.map(toRule);
    this.#chooses = this.#rules.some(({ excludes }) => !excludes);
  }

  /** Whether a folder is looked into, as far as globs go. */
  admitsFolder(path: string): boolean {
    return this.#last(path)?.excludes !== true;
  }

  /** `chosen`: a glob names it, whatever ignore files say. */
  judgeFile(path: string): 'chosen' | 'admitted' | 'excluded' {
    const rule = this.#last(path);
    if (rule !== undefined) return rule.excludes ? 'excluded' : 'chosen';
    return this.#chooses ? 'excluded' : 'admitted';
  }

  #last(path: string): Rule | undefined {
    return this.#rules.findLast(({ fits }) => fits(path));
  }
}

function toRule(glob: string): Rule {
  const excludes = glob.startsWith('!');
  const pattern = excludes ? glob.slice(1) : glob;
  const anchored = pattern.replace(/\/$/, '').includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`;
  return { excludes, fits: picomatch(anchored.replace(/\/$/, ''), { dot: true, nonegate: true, noextglob: true }) };
}
