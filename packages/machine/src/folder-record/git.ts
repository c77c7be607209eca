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
  /** Undefined: it was not started, or ended by a signal. */
  readonly exitCode: number | undefined;

  constructor(message: string, exitCode?: number) {
    super(message);
    this.exitCode = exitCode;
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

  /** Resolves with its output. Rejects with {@link GitError}. */
  async bytes(words: readonly string[], { input, index }: GitCall = {}): Promise<Buffer> {
    const program = (this.#program ??= gitOutsideOf(this.folder));
    if (program === undefined) throw new GitError('git is not installed');
    const child = spawn(program, ['-c', 'core.quotePath=false', ...words], {
      cwd: this.folder,
      timeout,
      env: {
        ...withoutGit(process.env),
        LC_ALL: 'C',
        GIT_DIR: this.repository,
        GIT_WORK_TREE: this.folder,
        GIT_CONFIG_GLOBAL: devNull,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_ATTR_NOSYSTEM: '1',
        GIT_OPTIONAL_LOCKS: '0',
        GIT_TERMINAL_PROMPT: '0',
        // check-ignore takes paths, and refuses the variable.
        ...(words[0] !== 'check-ignore' && { GIT_LITERAL_PATHSPECS: '1' }),
        ...(index !== undefined && { GIT_INDEX_FILE: index }),
      },
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
    const why = child.signalCode === null ? errors.toString().trim() : `it was ended after ${timeout / 1000} s`;
    throw new GitError(`git ${words[0]} failed: ${why}`, child.exitCode ?? undefined);
  }

  async text(words: readonly string[], call?: GitCall): Promise<string> {
    return (await this.bytes(words, call)).toString();
  }

  /** Resolves with one line that it printed. */
  async line(words: readonly string[], call?: GitCall): Promise<string> {
    return (await this.text(words, call)).trimEnd();
  }
}

/** git in an absolute folder of PATH that is not in the folder, where an agent may have put a program with this name. */
function gitOutsideOf(folder: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const outside = folders.filter((each) => !isInside(folder, realPath(each) ?? each));
  return findProgram('git', programContext(folder, { ...process.env, PATH: outside.join(delimiter) }));
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
