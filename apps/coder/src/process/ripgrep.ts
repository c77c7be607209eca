import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { ToolError } from '../tool-error.ts';

/** ripgrep is missing, cannot start, or failed: its work has to be done without it. */
export class RipgrepUnusable extends Error {
  override readonly name = 'RipgrepUnusable';
}

/** The options of a run. */
export interface RipgrepRun {
  readonly args: readonly string[];
  /** Absolute. */
  readonly folder: string;
  /** Ends it at once. */
  readonly signal: AbortSignal;
  /** Receives what ripgrep could not read. */
  readonly report: (warning: string) => void;
  /** Programs to try, in this order. */
  readonly programs: readonly string[];
}

type Ripgrep = ChildProcessByStdio<null, Readable, Readable>;

/** The longest record of the output; of a longer one the beginning is returned. */
const recordLimit = 64 * 1024 * 1024;
const keptOfLongRecord = 64 * 1024;
const errorLimit = 64 * 1024;

// Hidden files are part of a project; ignore files count even outside a repository, but not those of the user's home.
const always = ['--no-config', '--color=never', '--hidden', '--no-require-git', '--no-ignore-global', '--sort=path'];

/**
 * Runs ripgrep and yields the lines it prints. A consumer that stops ends it.
 * @throws RipgrepUnusable, and ToolError if ripgrep refuses the regular expression or glob
 */
export async function* ripgrepRecords(run: RipgrepRun): AsyncGenerator<Buffer, void> {
  const child = await start(run);
  const errors = collect(child.stderr);
  const closed = once(child, 'close').catch(() => undefined);
  try {
    yield* split(child.stdout);
    await closed;
    run.signal.throwIfAborted();
    judgeEnd(child, errors(), run);
  } finally {
    child.kill('SIGKILL');
  }
}

/** Where ripgrep may be: the package has a program for common platforms; elsewhere the user's own is used. */
export async function ripgrepPrograms(): Promise<readonly string[]> {
  const own = ownPrograms();
  try {
    return [(await import('@vscode/ripgrep')).rgPath, ...own];
  } catch {
    return own;
  }
}

/** Only absolute folders: a relative one would be searched in the project, which may contain anything. */
function ownPrograms(): readonly string[] {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).filter((path) => existsSync(path));
}

async function start({ args, folder, signal, programs }: RipgrepRun): Promise<Ripgrep> {
  let reason = 'there is none';
  for (const program of programs) {
    signal.throwIfAborted();
    try {
      const options = { cwd: folder, signal, killSignal: 'SIGKILL' } as const;
      const child = spawn(program, [...always, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
      await once(child, 'spawn');
      return child;
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
  }
  signal.throwIfAborted();
  throw new RipgrepUnusable(`ripgrep did not start (${reason})`);
}

async function* split(output: Readable): AsyncGenerator<Buffer, void> {
  const record = new Record();
  for await (const chunk of output as AsyncIterable<Buffer>) {
    let begin = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', begin)) {
      record.add(chunk.subarray(begin, end));
      yield record.take();
      begin = end + 1;
    }
    record.add(chunk.subarray(begin));
  }
}

/** A record that arrives in chunks. */
class Record {
  #chunks: Buffer[] = [];
  #size = 0;

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    if (this.#size > recordLimit) this.#chunks = [Buffer.concat(this.#chunks).subarray(0, keptOfLongRecord)];
  }

  take(): Buffer {
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#size = 0;
    return whole;
  }
}

// ripgrep exits with 0 after matches, with 1 without any, and with 2 after an error: in single files, or in its arguments.
function judgeEnd({ exitCode, signalCode }: Ripgrep, errors: string, { report }: RipgrepRun): void {
  if (exitCode === 0 || exitCode === 1) return;
  if (exitCode !== 2) throw new RipgrepUnusable(`ripgrep broke down (${signalCode ?? `exit code ${exitCode}`})`);
  if (isRefusal.test(errors))
    throw new ToolError(`Nothing was searched. ${errors.replace(/^rg: /, '').replace(itsOwnAdvice, '').trim()}`);
  const unread = errors.split('\n').flatMap((line) => unreadFile.exec(line)?.slice(1, 3).join(': ') ?? []);
  if (unread.length === 0) throw new RipgrepUnusable('ripgrep reported an unknown error');
  for (const each of unread) report(each.replace(/^\.[/\\]/, ''));
}

const isRefusal = /regex parse error|error parsing glob|not allowed in a regex|exceeds size limit/;
/** ripgrep's advice to use a flag, which cannot be given here. */
const itsOwnAdvice = /\n+Consider enabling PCRE2[\s\S]*$/;
const unreadFile = /^rg: (.+?): (?:IO error for operation on .+: )?([^:]+) \(os error \d+\)$/;

function collect(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < errorLimit) text += chunk;
  });
  return () => text;
}
