import { type ChildProcess, spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { OutputEnd } from './output-end.ts';
import { type CommandOutcome, type CommandRequest, defaultOutputLimit } from './turn-commands.ts';

/** What is told of a command while it runs, and what stops it. */
export interface CommandSurroundings {
  /** Aborting stops the command and everything it started. */
  readonly signal: AbortSignal;
  /** Told every piece of output, in order. */
  readonly onOutput: (text: string) => void;
}

/** Milliseconds between asking a command to end and ending it, and from its end until what still holds its output is left alone. */
const grace = 2_000;
const pipeGrace = 500;

const running = new Set<ChildProcess>();
let isWatching = false;

/** The last thing this process does: nothing it started outlives it. */
function watchExit(): void {
  if (isWatching) return;
  isWatching = true;
  process.on('exit', () => {
    for (const child of running) signalGroup(child, 'SIGKILL');
  });
}

/**
 * Runs a command on this machine as the leader of a process group of its own, without input, and waits for it. What it started ends with it.
 * @throws the signal's reason when aborted, once the command is gone; an error when it cannot be started
 */
export async function runLocally(
  { command, args, cwd, env, timeout, outputByteLimit = defaultOutputLimit }: CommandRequest & { readonly cwd: string },
  { signal, onOutput }: CommandSurroundings,
): Promise<CommandOutcome> {
  signal.throwIfAborted();
  const child = spawn(command, args ?? [], {
    cwd,
    env: { ...process.env, ...env },
    shell: args === undefined,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const kept = new OutputEnd(outputByteLimit);
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder('utf8');
    stream.on('data', (chunk: Buffer) => {
      kept.append(chunk);
      const text = decoder.write(chunk);
      if (text !== '') onOutput(text);
    });
  }
  const timedOut = await ended(child, signal, timeout);
  signal.throwIfAborted();
  const { text: output, isCut: truncated } = kept;
  return { exitCode: child.exitCode, signal: child.signalCode, output, truncated, timedOut };
}

/** Waits for the end of the command and stops it when it must. Tells whether its time was up. */
async function ended(child: ChildProcess, signal: AbortSignal, timeout: number | undefined): Promise<boolean> {
  watchExit();
  running.add(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let timedOut = false;
  const stop = (): void => stopGroup(child);
  const timer =
    timeout === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          stop();
        }, timeout);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => resolve());
      child.once('error', reject);
    });
    // What it left behind in its group ends with it; what left the group may hold its output open for ever.
    signalGroup(child, 'SIGKILL');
    await withPatience(closed, child);
    return timedOut;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    running.delete(child);
  }
}

async function withPatience(closed: Promise<void>, child: ChildProcess): Promise<void> {
  const giveUp = setTimeout(() => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, pipeGrace);
  await closed;
  clearTimeout(giveUp);
}

function stopGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  const harder = setTimeout(() => signalGroup(child, 'SIGKILL'), grace);
  child.once('exit', () => clearTimeout(harder));
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32')
    spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
  else killGroup(child.pid, signal);
}

function killGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // The group is gone already.
  }
}
