import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Call, callsIn, projectIn, writtenIn } from './traced-programs.ts';

/** The content of the secret files, which must not appear in the output of a line. */
export const secretMark = 'evil-kept-to-itself';

/** The user id that runs the lines if the tests run as root: `nobody`. */
export const nobody = process.getuid?.() === 0 ? 65_534 : undefined;

/** Files that are harmless when they run as scripts, because rules cannot see the content of scripts. */
const texts: Readonly<Record<string, string>> = {
  'a.txt': 'git status\n',
  'secret.txt': `${secretMark}\n`,
  '.env': `${secretMark}\n`,
  'src/a.ts': 'git status\n',
  'sub/a.txt': 'git status\n',
  'sub/HEAD': 'ref: refs/heads/main\n',
  'sub/config': '[core]\n',
  '.git/config': '[core]\n',
  '-exec': '',
  '-oout': '',
  'a b': '',
};

const executables = ['evil', 'evil.sh', 'git', 'p/git', 'p/ls', 'sub/evil', 'a+=x/evil'];

const folders = ['src', 'sub/objects', 'sub/refs', 'out', 'p', 'a+=x', '.git/hooks'];

/** A time long ago, so that a read changes the access time even if the system updates it only once a day. */
const longAgo = new Date('2001-01-01T00:00:00Z');

/** The observed effects of a line. */
export interface Observed {
  readonly calls: readonly Call[];
  /** Names that the shell searched for without success. */
  readonly missing: readonly string[];
  /** Files and folders that were created, changed or removed, relative to the project. */
  readonly changed: readonly string[];
  /** Planted files that any process read, where the system records access times. */
  readonly read: readonly string[];
  readonly output: string;
}

/** A disposable project in which a line runs, with everything that the line leaves behind. */
export class Slot {
  readonly folder: string;
  readonly project: string;
  readonly #traced: string;
  #before: ReadonlyMap<string, string> = new Map();

  constructor(folder: string, traced: string) {
    this.folder = folder;
    this.project = projectIn(folder);
    this.#traced = traced;
    this.#make();
  }

  /** Collects the effects of the line, and restores the project. */
  take(): Observed {
    const after = look(this.project);
    const paths = new Set([...this.#before.keys(), ...after.keys()]);
    const changed = [...paths].filter((path) => this.#before.get(path) !== after.get(path));
    const read = Object.keys(texts).filter((path) => wasRead(join(this.project, path)));
    const output = writtenIn(join(this.folder, 'output'));
    const log = writtenIn(join(this.folder, 'log'));
    if (changed.length > 0 || log.length > 0 || read.length > 0) this.#renew(changed, read);
    return { calls: callsIn(log), missing: missingIn(output), changed, read, output };
  }

  #renew(changed: readonly string[], read: readonly string[]): void {
    rmSync(join(this.folder, 'log'), { force: true });
    const made = changed.filter((path) => !this.#before.has(path));
    for (const path of made) rmSync(join(this.project, path), { recursive: true, force: true });
    const lost = changed.filter((path) => this.#before.has(path));
    if (lost.every((path) => texts[path] !== undefined))
      for (const path of new Set([...lost, ...read])) this.#write(path);
    else this.#make();
  }

  #make(): void {
    rmSync(this.folder, { recursive: true, force: true });
    for (const each of folders) mkdirSync(join(this.project, each), { recursive: true });
    for (const path of executables) linkSync(this.#traced, join(this.project, path));
    symlinkSync('secret.txt', join(this.project, 'link.txt'));
    for (const path of Object.keys(texts)) this.#write(path);
    if (nobody !== undefined) {
      chmodSync(this.folder, 0o777);
      for (const path of ['', 'sub', '.git', ...folders]) chownSync(join(this.project, path), nobody, nobody);
    }
    this.#before = look(this.project);
  }

  #write(path: string): void {
    const file = join(this.project, path);
    writeFileSync(file, texts[path] ?? '');
    if (nobody !== undefined) chownSync(file, nobody, nobody);
    utimesSync(file, longAgo, longAgo);
  }
}

function look(folder: string, below = '', found = new Map<string, string>()): Map<string, string> {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) look(folder, path, found.set(path, 'folder'));
    else {
      const { size, mtimeMs } = lstatSync(join(folder, path));
      found.set(path, `${size} ${mtimeMs}`);
    }
  }
  return found;
}

function wasRead(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.size > 0 && found.atimeMs !== longAgo.getTime();
}

/**
 * Parses `bash: line 1: x: command not found` and `sh: 1: x: not found`. The commands of a pipe write at the same time and in several
 * parts, so a name inside another message is skipped.
 */
export function missingIn(output: string): readonly string[] {
  return [...output.matchAll(/^[\w/.-]*sh: (?:line )?\d+: (?:eval: )?([^\n]+): (?:command )?not found$/gm)]
    .map(([, each = '']) => each)
    .filter((each) => !/sh: (?:line )?\d+: /.test(each));
}
