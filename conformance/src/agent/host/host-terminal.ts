import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import {
  disown,
  endOf,
  OutputTail,
  programContext,
  shellRule,
  spawnRule,
  type Started,
  startTree,
} from '@turnwire/machine';

export interface ExitStatus {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A command to run. Without arguments `command` is a shell line: agents send both forms. */
export interface TerminalCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** In bytes. */
  readonly outputByteLimit: number;
}

/** Milliseconds to wait for late output after the end of a command: a background process may still write. */
const lateOutput = 100;

type Child = ChildProcessByStdio<null, Readable, Readable>;

export class HostTerminal {
  readonly exited: Promise<ExitStatus>;
  readonly #started: Started<Child> | Promise<never>;
  readonly #output: OutputTail;
  #exit: ExitStatus | undefined;

  constructor({ command, args, cwd, env, outputByteLimit }: TerminalCommand) {
    this.#output = new OutputTail(outputByteLimit);
    const place = { cwd, env: { ...process.env, ...env } };
    const context = programContext(cwd, place.env);
    const rule = args.length === 0 ? shellRule(command, '/bin/sh', context) : spawnRule([command, ...args], context);
    this.#started = startTree<Child>(rule, place, ['ignore', 'pipe', 'pipe']);
    this.exited = this.#watch();
  }

  /** The output so far, and the exit status if the command has ended. */
  get now(): { readonly output: string; readonly truncated: boolean; readonly exitStatus?: ExitStatus } {
    const output = { output: this.#output.text(), truncated: this.#output.isCut };
    return { ...output, ...(this.#exit !== undefined && { exitStatus: this.#exit }) };
  }

  kill(): void {
    if (this.#started instanceof Promise) return;
    const { tree } = this.#started;
    tree.signal('SIGKILL');
    void tree.end({ terminate: 0, kill: 500 }).then(() => disown(tree));
  }

  async #watch(): Promise<ExitStatus> {
    const started = this.#started;
    // A shell reports a missing command as exit code 127.
    if (started instanceof Promise) return started.catch(() => (this.#exit = { exitCode: 127, signal: null }));
    const { child } = started;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', this.#output.input());
    const { code, signal } = await endOf(child, lateOutput);
    this.#exit = { exitCode: code, signal };
    return this.#exit;
  }
}
