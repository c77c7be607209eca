import { spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';
import { findProgram, programContext } from '../find-program.ts';
import { isInside } from '../is-inside.ts';
import { realPath } from '../real-path.ts';

/** How long one call of git may take, in milliseconds. */
const timeout = 30_000;
/** The most text that one call may print, in bytes. */
const most = 256 * 1024 * 1024;

/** Options of a call of {@link Git}. */
export interface GitCall {
  readonly input?: string | Buffer;
  /** The index to use. Default: the one of the repository. */
  readonly index?: string;
}

/** git has failed. The message says why. */
export class GitError extends Error {
  override readonly name = 'GitError';
  /** Its exit code; `null` if it was ended or did not start. */
  readonly exitCode: number | null;
  /** Its output on stdout. */
  readonly output: Buffer;

  constructor(
    message: string,
    { exitCode, output }: { readonly exitCode: number | null; readonly output: Buffer } = {
      exitCode: null,
      output: Buffer.alloc(0),
    },
  ) {
    super(message);
    this.exitCode = exitCode;
    this.output = output;
  }
}

/**
 * Runs git on a repository of ours and the files of a folder. It reads no settings of the user and of the folder, because an agent may have
 * written those: no hooks, filters, external programs or conversions of line ends.
 */
export class Git {
  readonly repository: string;
  readonly folder: string;
  #program: string | undefined;

  /** Both are absolute paths. */
  constructor(repository: string, folder: string) {
    this.repository = repository;
    this.folder = folder;
  }

  /** Whether git is installed. */
  get isInstalled(): boolean {
    return (this.#program ??= gitOutsideOf([this.folder])) !== undefined;
  }

  /** Resolves with its output. Rejects with {@link GitError}. */
  async bytes(words: readonly string[], { input, index }: GitCall = {}): Promise<Buffer> {
    this.#program ??= gitOutsideOf([this.folder]);
    return runGit(this.#program, ['-c', 'core.quotePath=false', ...words], {
      cwd: this.folder,
      timeout,
      input,
      env: {
        GIT_DIR: this.repository,
        GIT_WORK_TREE: this.folder,
        GIT_CONFIG_GLOBAL: devNull,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_ATTR_NOSYSTEM: '1',
        GIT_OPTIONAL_LOCKS: '0',
        // check-ignore takes paths, and refuses the variable.
        ...(words[0] !== 'check-ignore' && { GIT_LITERAL_PATHSPECS: '1' }),
        ...(index !== undefined && { GIT_INDEX_FILE: index }),
      },
    });
  }

  /** The same as {@link Git.bytes}, as text. */
  async text(words: readonly string[], call?: GitCall): Promise<string> {
    return (await this.bytes(words, call)).toString();
  }

  /** Resolves with one line that it printed. */
  async line(words: readonly string[], call?: GitCall): Promise<string> {
    return (await this.text(words, call)).trimEnd();
  }
}

/** The parts of a call of {@link runGit}. */
export interface GitRun {
  readonly cwd: string;
  /** Variables to set. Those by which a caller of ours would lead git to another repository are removed. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
  readonly input?: string | Buffer | undefined;
}

/** Runs git. Resolves with its output. Rejects with {@link GitError}, also without a program. */
export async function runGit(
  program: string | undefined,
  words: readonly string[],
  { cwd, env, timeout: limit, input }: GitRun,
): Promise<Buffer> {
  if (program === undefined) throw new GitError('git is not installed');
  const child = spawn(program, words, {
    cwd,
    timeout: limit,
    env: { ...withoutGit(process.env), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', ...env },
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [out, errors] = await Promise.all([
    collected(child.stdout, () => child.kill('SIGKILL')),
    collected(child.stderr, () => child.kill('SIGKILL')),
    new Promise<void>((resolve, reject) => {
      child.once('error', ({ message }) => reject(new GitError(`git cannot be started: ${message}`)));
      child.once('close', () => resolve());
    }),
  ]);
  if (child.exitCode === 0) return out;
  const why = child.signalCode === null ? errors.toString().trim() : `it was ended after ${limit / 1000} s`;
  throw new GitError(`git ${commandOf(words)} failed: ${why}`, { exitCode: child.exitCode, output: out });
}

/** The command of git behind its options `-c name=value`. */
function commandOf(words: readonly string[]): string {
  return words.find((word, at) => !word.startsWith('-') && words[at - 1] !== '-c') ?? '';
}

/** git in an absolute folder of PATH that is in none of these folders, where an agent may have put a program with this name. */
export function gitOutsideOf(folders: readonly string[]): string | undefined {
  const all = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const outside = all.filter((each) => !folders.some((folder) => isInside(folder, realPath(each) ?? each)));
  return findProgram('git', programContext(folders[0] ?? '/', { ...process.env, PATH: outside.join(delimiter) }));
}

/** Without the variables by which a caller of ours would lead git to another repository. */
function withoutGit(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));
}

async function collected(stream: AsyncIterable<Buffer>, tooMuch: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > most) {
      tooMuch();
      throw new GitError(`git printed more than ${most / 1024 / 1024} MiB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
