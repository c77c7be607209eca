import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type { Readable } from 'node:stream';
import {
  commandShell,
  endOf,
  endWithLeader,
  OutputTail,
  pipesRead,
  programContext,
  shellRule,
  type SpawnRule,
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

/** The shell of a chat's user. It remembers the folder and the exported variables from one line to the next. */
export class UserShell {
  readonly #start: string;
  #folder: string;
  #env: NodeJS.ProcessEnv = process.env;

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
    const { rule, cwd, env } = this.#prepared(line);
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
    const report = collected(child);
    const stop = (): void => void tree.end(endSteps);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const { code } = await endOf(child, endSteps.kill);
    signal.removeEventListener('abort', stop);
    this.#remember(report());
    return { output: kept.text(), exitCode: code ?? undefined };
  }

  /** Runs a line as {@link run} does, but gives it the terminal. Resolves with its exit code; undefined if a signal ended it. */
  async runInTerminal(line: string, signal: AbortSignal): Promise<number | undefined> {
    const { rule, cwd, env } = this.#prepared(line);
    const child = spawn(rule.file, rule.args, { cwd, env, signal, stdio: ['inherit', 'inherit', 'inherit', 'pipe'] });
    const report = collected(child);
    const code = await exitCodeOf(child);
    // A program that the line left running has inherited the descriptor. The report itself is complete.
    await pipesRead();
    child.stdio[3]?.destroy();
    this.#remember(report());
    return code;
  }

  /** Gives the terminal to the user's own shell until it exits. Resolves with its exit code; undefined if it could not be started. */
  open(signal: AbortSignal): Promise<number | undefined> {
    const file = process.env['SHELL'] || commandShell().path;
    return exitCodeOf(spawn(file, [], { cwd: this.#existing(), env: this.#env, stdio: 'inherit', signal }));
  }

  #prepared(line: string): { readonly rule: SpawnRule; readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
    const [cwd, env] = [this.#existing(), this.#env];
    return { rule: shellRule(reporting(line), commandShell().path, programContext(cwd, env)), cwd, env };
  }

  /** Remembers what a line reported. A line that replaced its shell, or was killed, reports nothing. */
  #remember(report: string): void {
    const [folder = '', ...variables] = report.split('\0');
    if (isAbsolute(folder)) this.#folder = folder.replace(/\n$/, '');
    const entries = variables.map((each) => each.split(/=(.*)/s)).filter(([name = '']) => !ownVariables.has(name));
    if (entries.length > 0) this.#env = Object.fromEntries(entries.map(([name = '', value = '']) => [name, value]));
  }

  #existing(): string {
    if (!existsSync(this.#folder)) this.#folder = this.#start;
    return this.#folder;
  }
}

/** The variables that each shell sets for itself. */
const ownVariables: ReadonlySet<string> = new Set(['', '_', 'SHLVL', 'PWD']);

/** A line that reports its last folder and its exported variables at descriptor 3. The shell of Windows does not. */
function reporting(line: string): string {
  return process.platform === 'win32' ? line : `trap '{ pwd; printf "\\0"; command env -0; } >&3' EXIT\n${line}`;
}

/** Collects what a process writes to descriptor 3. */
function collected({ stdio: [, , , reports] }: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  (reports as Readable | null | undefined)?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

async function exitCodeOf(child: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('exit', (code) => resolve(code ?? undefined));
  });
}
