import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { commandShell } from '@turnwire/machine';
import { after } from '../../after.ts';
import { OutputEnd } from './output-end.ts';
import { expectGroup, ownGroup } from './process-group.ts';
import { type CommandOutcome, type CommandRequest, defaultOutputLimit } from './turn-commands.ts';

/** A command to run on this machine, and what stops it. */
export interface LocalCommand extends CommandRequest {
  /** Absolute folder to run in. */
  readonly cwd: string;
  /** Aborting stops the command and everything it started. */
  readonly signal: AbortSignal;
}

/** Milliseconds from the end of a command until what still holds its output is left alone. */
const pipeGrace = 500;
/** How often that is waited for again while somebody still takes what was read. */
const mostWaits = 20;

/**
 * Runs a command on this machine as the leader of a process group of its own, without input, and waits for it. The group is asked
 * to end (SIGTERM) and two seconds later made to (SIGKILL) when the signal aborts or the time is up. What is left of it when the
 * command ends, or this process does, ends then, even if this process is killed where there is a `/bin/sh`. What made a process
 * group of its own is not found; it cannot hold up the outcome.
 *
 * For a command that outlives its turn; otherwise `turn.commands.run` shows what it prints, and where the client wants it to run.
 *
 * @throws the signal's reason when aborted, once the command is gone; an error when it cannot be started
 */
export async function runLocally({ signal, timeout, onOutput, ...command }: LocalCommand): Promise<CommandOutcome> {
  signal.throwIfAborted();
  expectGroup();
  const child = start(command);
  const kept = new OutputEnd(command.outputByteLimit ?? defaultOutputLimit);
  const taken = [child.stdout, child.stderr].map((stream) => read(stream, kept, onOutput));
  const timedOut = await ended(child, signal, timeout);
  for (const last of taken) await last();
  signal.throwIfAborted();
  const { text: output, isCut: truncated } = kept;
  return { exitCode: child.exitCode, signal: child.signalCode, output, truncated, timedOut };
}

function start({ command, args, cwd, env }: Pick<LocalCommand, 'command' | 'args' | 'cwd' | 'env'>) {
  const isPosix = process.platform !== 'win32';
  const options = {
    cwd,
    env: { ...process.env, ...env },
    detached: isPosix,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  } as const satisfies SpawnOptions;
  if (args !== undefined) return spawn(command, args, options);
  return isPosix
    ? spawn('/bin/sh', ['-c', onOnePipe, commandShell().path, command], options)
    : spawn(command, { ...options, shell: true });
}

/** Both streams of a line share a pipe, so that what they print stays in order. */
const onOnePipe = 'exec "$0" -c "$1" 2>&1';

/**
 * Keeps the end of what comes and tells every piece. Who cannot keep up holds the command up, as a slow terminal does.
 * @returns what to wait for in the end: the last piece is taken
 */
function read(stream: Readable, kept: OutputEnd, onOutput: CommandRequest['onOutput']): () => Promise<unknown> {
  const decoder = new StringDecoder('utf8');
  let taking: Promise<void> | undefined;
  stream.on('data', (chunk: Buffer) => {
    kept.append(chunk);
    const text = decoder.write(chunk);
    // Node resumes a stream when its process ends, so that more may come while it is paused.
    const told = text === '' ? undefined : taking ? taking.then(() => onOutput?.(text)) : onOutput?.(text);
    if (!(told instanceof Promise)) return;
    stream.pause();
    const goOn = (): void => {
      if (taking !== taken) return;
      taking = undefined;
      stream.resume();
    };
    const taken = told.then(goOn, goOn);
    taking = taken;
  });
  return async () => taking;
}

/** Waits for the end of the command and stops it when it must. Tells whether its time was up. */
async function ended(child: ChildProcess, signal: AbortSignal, timeout: number | undefined): Promise<boolean> {
  const group = ownGroup(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let timedOut = false;
  const stop = (): void => void group.stop();
  const onTimeUp = (): void => {
    timedOut = true;
    stop();
  };
  const timer = after(timeout ?? Infinity, onTimeUp);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => resolve());
      child.once('error', reject);
    });
    // Its group has ended with it; what left the group may hold its output open for ever.
    await withPatience(closed, child);
    return timedOut;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

async function withPatience(closed: Promise<void>, { stdout, stderr }: ChildProcess): Promise<void> {
  let waits = 0;
  const giveUp = (): void => {
    // Held up by whoever takes the output, there may be some left of the command itself.
    if ((stdout?.isPaused() || stderr?.isPaused()) && ++waits < mostWaits) timer = setTimeout(giveUp, pipeGrace);
    else for (const stream of [stdout, stderr]) stream?.destroy();
  };
  let timer = setTimeout(giveUp, pipeGrace);
  await closed;
  clearTimeout(timer);
}
