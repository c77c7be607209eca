import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endOf } from '@turnwire/machine';
import type { Exit } from '../../wire/line.ts';
import { type Command, tailOf } from '../../wire/process-line.ts';

export interface Step {
  readonly pid: number | undefined;
  readonly exited: Promise<Exit>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Signals the process and its child processes. */
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** Bytes to retain of each output stream. */
const kept = 1024 * 1024;
/** How long to wait for output after a process ended while others still hold its pipes, in milliseconds. */
const lastOutput = 300;

/** Runs a command line. Rejects with the error of `spawn`. */
export async function startStep({ argv, cwd, env, input }: Command & { readonly input: string }): Promise<Step> {
  const [program = '', ...rest] = argv;
  // Its own process group, so that its child processes can be killed with it.
  const child = spawn(program, rest, { cwd, env, stdio: 'pipe', detached: process.platform !== 'win32' });
  const exited = endOf(child, lastOutput);
  child.stdin.on('error', () => undefined);
  const stdout = tailOf(child.stdout, kept);
  const stderr = tailOf(child.stderr, kept);
  const kill = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal);
    } catch {
      // The process has already ended.
    }
  };
  await once(child, 'spawn');
  child.stdin.end(input);
  return { pid: child.pid, exited, stdout, stderr, kill };
}
