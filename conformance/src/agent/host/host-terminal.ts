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

/** A command to run. Without arguments it is a line for a shell: agents write both. */
export interface TerminalCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** In bytes. */
  readonly outputByteLimit: number;
}

/** Milliseconds of waiting for output after the end, from a process that outlives the command. */
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

  /** Its output so far, and its exit if it has ended. */
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
    // As a shell reports a missing command.
    if (started instanceof Promise) return started.catch(() => (this.#exit = { exitCode: 127, signal: null }));
    const { child } = started;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', this.#output.input());
    const { code, signal } = await endOf(child, lateOutput);
    this.#exit = { exitCode: code, signal };
    return this.#exit;
  }
}
