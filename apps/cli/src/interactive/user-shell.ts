import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type { Readable } from 'node:stream';
import {
  commandShell,
  endOf,
  endWithLeader,
  OutputTail,
  programContext,
  shellRule,
  startTree,
} from '@turnwire/machine';

/** The maximum size of the kept end of the output, in bytes. */
const mostOutput = 30_000;
/** How long processes may take to end, and how long to wait for an output that others hold open, in milliseconds. */
const endSteps = { terminate: 1_000, kill: 500 };

/** A command line of the user, and its options. */
export interface UserCommand {
  readonly line: string;
  /** Ends the command and all its processes. */
  readonly signal: AbortSignal;
  /** Called with the end of the output whenever it grows. */
  readonly onOutput: (output: string) => void;
}

/** The result of a command. */
export interface UserCommandEnd {
  readonly output: string;
  /** Undefined if a signal ended the command. */
  readonly exitCode: number | undefined;
}

/** The shell of a chat's user. It remembers the folder from one line to the next. */
export class UserShell {
  readonly #start: string;
  #folder: string;

  /** @param folder absolute; where it starts, and where it returns to if its folder is removed */
  constructor(folder: string) {
    this.#start = folder;
    this.#folder = folder;
  }

  /** The folder of the next line, relative to the first one; empty if it is that one. */
  get place(): string {
    return relative(this.#start, this.#folder);
  }

  /** Runs a line in the shell that agents' commands run in, with the user's environment and no input. */
  async run({ line, signal, onOutput }: UserCommand): Promise<UserCommandEnd> {
    const { env } = process;
    const cwd = this.#existing();
    const rule = shellRule(reporting(line), commandShell().path, programContext(cwd, env));
    const started = await startTree<ChildProcessByStdio<null, Readable, Readable>>(rule, { cwd, env }, [
      'ignore',
      'pipe',
      'pipe',
      'pipe',
    ]);
    endWithLeader(started);
    const { child, tree } = started;
    const kept = new OutputTail(mostOutput);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        kept.write(chunk);
        onOutput(kept.text());
      });
    let folder = '';
    (child.stdio[3] as Readable).on('data', (chunk: Buffer) => (folder += chunk.toString()));
    const stop = (): void => void tree.end(endSteps);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const { code } = await endOf(child, endSteps.kill);
    signal.removeEventListener('abort', stop);
    if (isAbsolute(folder.trimEnd())) this.#folder = folder.replace(/\n$/, '');
    return { output: kept.text(), exitCode: code ?? undefined };
  }

  /** Gives the terminal to the user's own shell until it exits. Resolves with its exit code; undefined if it could not be started. */
  async open(signal: AbortSignal): Promise<number | undefined> {
    const file = process.env['SHELL'] || commandShell().path;
    const child = spawn(file, [], { cwd: this.#existing(), stdio: 'inherit', signal });
    return new Promise((resolve) => {
      child.once('error', () => resolve(undefined));
      child.once('exit', (code) => resolve(code ?? undefined));
    });
  }

  #existing(): string {
    if (!existsSync(this.#folder)) this.#folder = this.#start;
    return this.#folder;
  }
}

/** A line that reports its last folder at descriptor 3. The shell of Windows does not. */
function reporting(line: string): string {
  return process.platform === 'win32' ? line : `trap 'pwd >&3' EXIT\n${line}`;
}
