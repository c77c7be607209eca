import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import {
  commandShell,
  endWithLeader,
  OutputTail,
  pipesRead,
  programContext,
  shellRule,
  spawnRule,
  type Started,
  startTree,
} from '@turnwire/machine';
import { after } from '@turnwire/machine/waits';
import { type CommandOutcome, type CommandRequest, defaultOutputLimit } from '../../turn/turn-commands.ts';

/** A command to run on this machine. */
export interface LocalCommand extends CommandRequest {
  /** Absolute working directory. */
  readonly cwd: string;
  /** Aborting ends the command and all processes it started. */
  readonly signal: AbortSignal;
  /** Aborting ends the command in the same way, but its outcome is returned. Default: nothing ends it so. */
  readonly stopped?: AbortSignal | undefined;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

const endSteps = { terminate: 2_000, kill: 500 };
/** Milliseconds after the end of a command until its output is closed, if another process still holds it. */
const pipeGrace = 500;
/** How often that is repeated while the output is still being consumed. */
const mostWaits = 20;

/**
 * Runs a command on this machine without input, and waits for it. When the signal aborts or the time is up, it and all processes it started
 * get SIGTERM, and two seconds later SIGKILL. When the command or this process ends, the rest of its processes is ended too, daemons
 * included, even if this process is killed, where there is a `/bin/sh`.
 *
 * For a command that outlives its turn; otherwise use `turn.commands.run`, which shows the output, and runs the command where the client
 * wants it.
 *
 * @throws the signal's reason when aborted, once the command has ended; an error when it cannot be started
 */
export async function runLocally({
  signal,
  stopped,
  timeout,
  onOutput,
  ...command
}: LocalCommand): Promise<CommandOutcome> {
  signal.throwIfAborted();
  const started = await start(command);
  const { child } = started;
  const kept = new OutputTail(command.outputByteLimit ?? defaultOutputLimit);
  const taken = [child.stdout, child.stderr].map((stream) => read(stream, kept, onOutput));
  const timedOut = await ended(started, [signal, ...(stopped ? [stopped] : [])], timeout);
  for (const last of taken) await last();
  signal.throwIfAborted();
  return {
    exitCode: child.exitCode,
    signal: child.signalCode,
    output: kept.text(),
    truncated: kept.isCut,
    timedOut,
  };
}

function start({ command, args, cwd, env: own }: Pick<LocalCommand, 'command' | 'args' | 'cwd' | 'env'>) {
  const env = { ...process.env, ...own };
  const context = programContext(cwd, env);
  const rule =
    args === undefined ? shellRule(command, commandShell().path, context) : spawnRule([command, ...args], context);
  return startTree<Child>(rule, { cwd, env }, ['ignore', 'pipe', 'pipe']);
}

/**
 * Stores the end of the output and passes every chunk on. A slow consumer slows the command down, as a slow terminal does.
 * @returns a function that waits until the last chunk is consumed
 */
function read(stream: Readable, kept: OutputTail, onOutput: CommandRequest['onOutput']): () => Promise<unknown> {
  const decoder = new StringDecoder('utf8');
  let taking: Promise<void> | undefined;
  stream.on('data', (chunk: Buffer) => {
    kept.write(chunk);
    const text = decoder.write(chunk);
    // Node resumes a stream when its process ends, so that more may come while it is paused.
    const consumed = text === '' ? undefined : taking ? taking.then(() => onOutput?.(text)) : onOutput?.(text);
    if (!(consumed instanceof Promise)) return;
    stream.pause();
    const resume = (): void => {
      if (taking !== taken) return;
      taking = undefined;
      stream.resume();
    };
    const taken = consumed.then(resume, resume);
    taking = taken;
  });
  return async () => taking;
}

/** Waits for the end of the command, and ends it on abort or timeout. Returns whether it timed out. */
async function ended(
  started: Started<Child>,
  signals: readonly AbortSignal[],
  timeout: number | undefined,
): Promise<boolean> {
  const { child, tree } = started;
  endWithLeader(started);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let timedOut = false;
  const stop = (): void => void tree.end(endSteps);
  const onTimeUp = (): void => {
    timedOut = true;
    stop();
  };
  const timer = after(timeout ?? Infinity, onTimeUp);
  for (const signal of signals) {
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  }
  try {
    await new Promise<void>((resolve) => child.once('exit', () => resolve()));
    // A process that left the tree may hold its output open indefinitely.
    await untilClosed(closed, child);
    return timedOut;
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', stop);
  }
}

async function untilClosed(closed: Promise<void>, { stdout, stderr }: Child): Promise<void> {
  let waits = 0;
  const giveUp = (): void => {
    // While a consumer delays the output, some of it may still be the command's own.
    if ((stdout.isPaused() || stderr.isPaused()) && ++waits < mostWaits) timer = setTimeout(giveUp, pipeGrace);
    else void pipesRead().then(() => [stdout, stderr].forEach((stream) => stream.destroy()));
  };
  let timer = setTimeout(giveUp, pipeGrace);
  await closed;
  clearTimeout(timer);
}
