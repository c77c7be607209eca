import { type ChildProcess, spawn } from 'node:child_process';
import { endOf, OutputTail } from '@turnwire/machine';

/** How a command ended: one of the two is null. */
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

/** A command and its output. */
export class HostTerminal {
  readonly exited: Promise<ExitStatus>;
  readonly #child: ChildProcess;
  readonly #output: OutputTail;
  #exit: ExitStatus | undefined;

  constructor({ command, args, cwd, env, outputByteLimit }: TerminalCommand) {
    this.#output = new OutputTail(outputByteLimit);
    this.#child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      shell: args.length === 0,
      stdio: ['ignore', 'pipe', 'pipe'],
      // In its own process group, so that its child processes end with it.
      detached: process.platform !== 'win32',
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', this.#output.input());
    this.exited = this.#watch();
  }

  /** Its output so far, and its exit if it has ended. */
  get now(): { readonly output: string; readonly truncated: boolean; readonly exitStatus?: ExitStatus } {
    const output = { output: this.#output.text(), truncated: this.#output.isCut };
    return { ...output, ...(this.#exit !== undefined && { exitStatus: this.#exit }) };
  }

  kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }

  async #watch(): Promise<ExitStatus> {
    const exit = await new Promise<ExitStatus>((resolve) => {
      void endOf(this.#child, lateOutput).then(({ code, signal }) => resolve({ exitCode: code, signal }));
      // As a shell reports a missing command.
      this.#child.once('error', () => resolve({ exitCode: 127, signal: null }));
    });
    this.#exit = exit;
    return exit;
  }
}
