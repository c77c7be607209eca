import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ignore from 'ignore';
import type { Ignore } from 'ignore';

/** The ignore files of one folder. */
interface Level {
  readonly folder: string;
  readonly dotIgnore: Ignore;
  readonly gitIgnore: Ignore;
}

/** What ignore files leave out, for a folder and what is above it. */
export class IgnoreRules {
  /** Deepest first. */
  readonly #levels: readonly Level[];

  private constructor(levels: readonly Level[]) {
    this.#levels = levels;
  }

  /** The rules for a folder that is looked into whether they leave it out or not. */
  static async for(folder: string): Promise<IgnoreRules> {
    const levels: Level[] = [await readLevel(folder)];
    for (let above = dirname(folder), last = folder; above !== last; last = above, above = dirname(above))
      levels.push(await readLevel(above, relative(above, folder)));
    return new IgnoreRules(levels);
  }

  /** The rules for a folder within. */
  async within(folder: string): Promise<IgnoreRules> {
    return new IgnoreRules([await readLevel(folder), ...this.#levels]);
  }

  /** Whether something in the folder is left out. What the deepest file with a rule for it says counts, `.ignore` before `.gitignore`. */
  leavesOut(path: string, isFolder: boolean): boolean {
    return (this.#verdict(path, isFolder, 'dotIgnore') ?? this.#verdict(path, isFolder, 'gitIgnore')) === 'out';
  }

  #verdict(path: string, isFolder: boolean, kind: 'dotIgnore' | 'gitIgnore'): 'in' | 'out' | undefined {
    for (const level of this.#levels) {
      const { ignored, unignored } = level[kind].test(`${slashed(relative(level.folder, path))}${isFolder ? '/' : ''}`);
      if (ignored || unignored) return ignored ? 'out' : 'in';
    }
    return undefined;
  }
}

/** @param lookedInto a folder further down that is looked into in any case: rules that leave it out as a whole do not count */
async function readLevel(folder: string, lookedInto?: string): Promise<Level> {
  const [dot, git, exclude] = await Promise.all([
    readRules(join(folder, '.ignore')),
    readRules(join(folder, '.gitignore')),
    readRules(join(folder, '.git', 'info', 'exclude')),
  ]);
  return {
    folder,
    dotIgnore: compile(dot, lookedInto),
    gitIgnore: compile(`${exclude}\n${git}`, lookedInto),
  };
}

function compile(rules: string, lookedInto: string | undefined): Ignore {
  const lines = rules.replace(/^\uFEFF/, '').split(/\r?\n/);
  const counting =
    lookedInto === undefined ? lines : lines.filter((line) => !oneRule(line).ignores(`${slashed(lookedInto)}/`));
  return ignore({ ignorecase: false }).add(counting);
}

function oneRule(line: string): Ignore {
  return ignore({ ignorecase: false }).add(line);
}

async function readRules(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
