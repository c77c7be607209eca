import { dirname, join, relative, sep } from 'node:path';
import { commonGitFolder } from './git-folder.ts';
import { IgnoreFile } from './ignore-file.ts';
import { readProjectFile } from './read-file.ts';

/** Ignore files, those with precedence first. */
const excludeOf = join('info', 'exclude');
const gitExclude = join('.git', excludeOf);
const fileNames: readonly string[] = ['.rgignore', '.ignore', '.gitignore', gitExclude];

/** Most bytes of one of them. */
const longest = 256 * 1024;

/** Receives a message about an ignore file that is not read. */
type Report = (message: string) => void;

/** The ignore files of one folder, those with precedence first. */
interface Level {
  /** Absolute. */
  readonly folder: string;
  readonly files: readonly (IgnoreFile | undefined)[];
}

/** The ignore files of a folder and of the folders above it. */
export class IgnoreRules {
  /** Deepest first. */
  readonly #levels: readonly Level[];

  private constructor(levels: readonly Level[]) {
    this.#levels = levels.filter(({ files }) => files.some((file) => file !== undefined));
  }

  /** The rules from above for a folder that is searched whether they exclude it or not. */
  static above(folder: string, report: Report): IgnoreRules {
    const levels: Level[] = [];
    for (let above = dirname(folder), last = folder; above !== last; last = above, above = dirname(above)) {
      const lookedInto = slashed(relative(above, folder));
      levels.push({
        folder: above,
        files: fileNames.map((name) => readIgnoreFile(above, { name, report, lookedInto })),
      });
    }
    return new IgnoreRules(levels);
  }

  /** The rules for a subfolder, which contains these names. */
  within(folder: string, names: ReadonlySet<string>, report: Report): IgnoreRules {
    if (!fileNames.some((name) => isAmong(names, name))) return this;
    const files = fileNames.map((name) =>
      isAmong(names, name) ? readIgnoreFile(folder, { name, report }) : undefined,
    );
    return new IgnoreRules([{ folder, files }, ...this.#levels]);
  }

  /** Whether a path is excluded. Of files with the same name, the deepest with a matching rule decides. */
  leavesOut(path: string, isFolder: boolean): boolean {
    for (const kind of fileNames.keys()) {
      for (const { folder, files } of this.#levels) {
        const within = path.slice(folder.endsWith(sep) ? folder.length : folder.length + 1);
        const verdict = files[kind]?.verdict(slashed(within), isFolder);
        if (verdict !== undefined) return verdict === 'out';
      }
    }
    return false;
  }
}

function isAmong(names: ReadonlySet<string>, file: string): boolean {
  return names.has(file.split(sep)[0] ?? '');
}

interface NamedFile {
  readonly name: string;
  readonly report: Report;
  readonly lookedInto?: string;
}

/** Undefined for a missing file. An unreadable file excludes nothing. */
function readIgnoreFile(folder: string, { name, report, lookedInto }: NamedFile): IgnoreFile | undefined {
  try {
    const isGitExclude = name === gitExclude;
    const base = isGitExclude ? commonGitFolder(folder) : folder;
    const text = readProjectFile(join(base, isGitExclude ? excludeOf : name), { project: base, limit: longest });
    return text === undefined ? undefined : new IgnoreFile(text, lookedInto);
  } catch (error) {
    report((error as Error).message);
    return undefined;
  }
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
