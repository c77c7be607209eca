import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Call, callsIn, projectIn } from './traced-programs.ts';

/** What the secret files hold, to be found again in what a line prints. */
export const secretMark = 'evil-kept-to-itself';

/** Who runs the lines where tests run as root: nobody. */
export const nobody = process.getuid?.() === 0 ? 65_534 : undefined;

/** Read as commands these do no harm: what a file holds that is run as a script is beyond what rules can see. */
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

/** Long ago, so that reading shows in the time of the last access even where that is only noted once a day. */
const longAgo = new Date('2001-01-01T00:00:00Z');

/** What became of a line. */
export interface Observed {
  readonly calls: readonly Call[];
  /** Names the shell looked for in vain. */
  readonly missing: readonly string[];
  /** Files and folders that were made, changed or removed, from the project's folder. */
  readonly changed: readonly string[];
  /** Files that were read, by whomever; only what is planted, and only where the system notes it. */
  readonly read: readonly string[];
  readonly output: string;
}

/** A throw-away project a line runs in, with all that it leaves. */
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

  /** What became of the line; then all is as it was before. */
  take(): Observed {
    const after = look(this.project);
    const paths = new Set([...this.#before.keys(), ...after.keys()]);
    const changed = [...paths].filter((path) => this.#before.get(path) !== after.get(path));
    const read = Object.keys(texts).filter((path) => wasRead(join(this.project, path)));
    const output = readIfThere(join(this.folder, 'output'));
    const log = readIfThere(join(this.folder, 'log'));
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

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/**
 * `bash: line 1: x: command not found`, `sh: 1: x: not found`. The commands of a pipe complain at the same time, in several pieces each:
 * where one message stands within another, no name can be read.
 */
export function missingIn(output: string): readonly string[] {
  return [...output.matchAll(/^[\w/.-]*sh: (?:line )?\d+: (?:eval: )?([^\n]+): (?:command )?not found$/gm)]
    .map(([, each = '']) => each)
    .filter((each) => !/sh: (?:line )?\d+: /.test(each));
}
