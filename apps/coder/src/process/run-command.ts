import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { OutputTail } from './output-tail.ts';
import { ownTree, stopTree } from './process-tree.ts';

/** What one command is run with. */
export interface CommandOptions {
  /** Absolute folder to run in. */
  readonly cwd: string;
  /** When to stop it, in milliseconds. */
  readonly timeout: number;
  /** Aborting stops the command and everything it started. */
  readonly signal: AbortSignal;
  /** Told the end of the output so far, at most every quarter second, never before the last call settled. */
  readonly onOutput: (tail: string) => Promise<void>;
}

/** How a command ended. */
export interface CommandResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** The end of what it printed, both streams in order of arrival, without control sequences. */
  readonly output: string;
  /** How many characters before that were let go. */
  readonly skipped: number;
}

type Shell = ChildProcessByStdio<null, Readable, Readable>;

const pipeGrace = 500;

/**
 * Runs a shell command as the leader of its own process group and waits for it. Whatever it started ends with it.
 * @throws the signal's reason when aborted, once the tree is gone; an error when the shell cannot start
 */
export async function runCommand(
  command: string,
  { cwd, timeout, signal, onOutput }: CommandOptions,
): Promise<CommandResult> {
  signal.throwIfAborted();
  const child = spawn(command, {
    cwd,
    shell: true,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  ownTree(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const tail = new OutputTail((text) => onOutput(stripVTControlCharacters(text)));
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => tail.append(text));
  const timedOut = await endOf(child, signal, timeout);
  await pipesClosed(child, closed);
  await tail.finish();
  signal.throwIfAborted();
  return {
    exitCode: child.exitCode,
    signal: child.signalCode,
    timedOut,
    output: stripVTControlCharacters(tail.text),
    skipped: tail.skipped,
  };
}

/** Waits for the shell to end, stops it when told to or when its time is up, and ends what it left behind. Tells whether it had to be stopped. */
async function endOf(child: Shell, signal: AbortSignal, timeout: number): Promise<boolean> {
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    void stopTree(child);
  };
  // A timer of its own: a signal made by AbortSignal.timeout and known only to AbortSignal.any may be collected before it fires.
  const timer = setTimeout(stop, timeout);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await exitOf(child);
    return stopped;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    await stopTree(child);
  }
}

function exitOf(child: Shell): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => resolve());
    child.once('error', reject);
  });
}

// What escaped the group may hold the pipes open for ever.
async function pipesClosed(child: Shell, closed: Promise<void>): Promise<void> {
  const giveUp = setTimeout(() => {
    child.stdout.destroy();
    child.stderr.destroy();
  }, pipeGrace);
  await closed;
  clearTimeout(giveUp);
}
