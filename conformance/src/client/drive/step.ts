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
  /** Signals it and its child processes. */
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** Of each output, in bytes. */
const kept = 1024 * 1024;
/** After a process has ended, how long its output is waited for while others hold on to it: in milliseconds. */
const lastOutput = 300;

/** Runs a command line. Rejects with what `spawn` reports. */
export async function startStep({ words, cwd, env, input }: Command & { readonly input: string }): Promise<Step> {
  const [program = '', ...rest] = words;
  // In its own process group, so that its child processes can be ended with it.
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
      // It is gone.
    }
  };
  await once(child, 'spawn');
  child.stdin.end(input);
  return { pid: child.pid, exited, stdout, stderr, kill };
}
