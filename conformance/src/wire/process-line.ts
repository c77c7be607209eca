import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Exit, Line, LineReceiver } from './line.ts';
import { linesTo } from './lines-to.ts';

/** A program and how it is started. */
export interface Command {
  /** The program and its arguments, unchanged: no shell parses them. */
  readonly words: readonly string[];
  readonly cwd: string;
  /** Its complete environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const keptOfStderr = 64 * 1024;
/** Milliseconds from the end of its input until a process is terminated, and then until it is killed. */
const patience = 1_000;

/** Starts a program, and talks to it over its stdin and stdout. Rejects with the error of `spawn`. */
export async function startProcessLine({ words, cwd, env }: Command): Promise<Line> {
  const [program = '', ...rest] = words;
  // In its own process group, so that its child processes can be ended with it.
  const child = spawn(program, rest, {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  await once(child, 'spawn');
  return lineOf(child);
}

function lineOf(child: ChildProcessWithoutNullStreams): Line {
  const { stdin, stdout } = child;
  // Its outputs may contain more than its end shows.
  const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const stderr = tailOf(child);
  // A process that does not read any more is recognised by its silence.
  stdin.on('error', () => undefined);
  const kill = (signal: NodeJS.Signals): void => killGroup(child, signal);
  return {
    start: (receiver) => listen(stdout, receiver),
    send: (text) => void stdin.write(`${text}\n`),
    sendBytes: (bytes) => new Promise((resolve) => stdin.write(bytes, () => resolve())),
    endInput: () => void stdin.end(),
    process: { pid: child.pid ?? 0, exited, stderr, kill },
    close: async () => {
      stdin.end();
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        if (await isOver(exited)) break;
        kill(signal);
      }
      // Its child processes may have outlived it.
      kill('SIGKILL');
      await exited;
      await isOver(drained);
    },
  };
}

function listen(stdout: NodeJS.ReadableStream, receiver: LineReceiver): void {
  const lines = linesTo(receiver);
  stdout.on('data', (chunk: Buffer) => lines.take(chunk));
  stdout.once('end', () => lines.end());
}

function tailOf({ stderr }: ChildProcessWithoutNullStreams): () => string {
  let tail = '';
  stderr.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-keptOfStderr)));
  return () => tail;
}

async function isOver(end: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(patience, false, { signal: timer.signal }).catch(() => false);
  const isOver = await Promise.race([end.then(() => true), late]);
  timer.abort();
  return isOver;
}

function killGroup({ pid }: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It has ended.
  }
}
