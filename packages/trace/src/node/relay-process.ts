import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { LineTap } from './line-tap.ts';
import type { TraceWriter } from './trace-writer.ts';

/** The program to relay, and its two ends. */
export interface RelayOptions {
  /** The program and its arguments; no shell parses them. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Its working directory. Default: ours. */
  readonly cwd?: string | undefined;
  /** Its environment. Default: ours. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The stream that the client writes to. Default: our stdin. */
  readonly input?: Readable;
  /** The stream that the client reads from. Default: our stdout. */
  readonly output?: Writable;
  /** Called with every line after its bytes were forwarded; `out` is the direction from the client. */
  readonly tap: TraceWriter['tap'];
}

/** How the program exited. */
export interface RelayEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How long the program may take to exit after its client is gone, and again after SIGTERM, in milliseconds. */
const grace = 2_000;
/** How often to check whether our parent still runs, after it closed its direction, in milliseconds. */
const checkEvery = 250;

/**
 * Runs a program between a client on our stdin and stdout and the program's own pipes. Bytes are forwarded unchanged and immediately,
 * including partial lines and invalid text, and are traced only afterwards. Backpressure and the end of each direction are forwarded too.
 * The program inherits our stderr and receives the signals that ask us to exit.
 *
 * Ends the program when our parent is gone. Resolves when the program has exited and all of its output was forwarded; rejects with the
 * error of `spawn`.
 */
export async function relayProcess(options: RelayOptions): Promise<RelayEnd> {
  const { command, cwd, env, input = process.stdin, output = process.stdout, tap } = options;
  const [program, ...args] = command;
  const parent = process.ppid;
  const fromClient = new LineTap((text, flaw) => tap('out', text, flaw));
  const fromProgram = new LineTap((text, flaw) => tap('in', text, flaw));
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = endOf(child);
  const stopForwarding = forwardSignals(child);
  const stopWatching = endWithParent({ child, input, parent });
  forward(input, child.stdin, (chunk) => fromClient.take(chunk));
  forward(child.stdout, output, (chunk) => fromProgram.take(chunk));
  try {
    return await ended;
  } finally {
    fromProgram.end();
    fromClient.end();
    stopWatching();
    stopForwarding();
    input.destroy();
  }
}

/** Forwards bytes with backpressure and their end, and calls `tap` after each chunk was forwarded. */
function forward(from: Readable, to: Writable, tap: (chunk: Buffer) => void): void {
  from.on('data', (chunk: Buffer) => {
    if (!to.write(chunk)) from.pause();
    tap(chunk);
  });
  to.on('drain', () => from.resume());
  from.once('end', () => {
    // Our own stdout ends with this process and cannot be closed earlier.
    if (to !== process.stdout) to.end();
  });
  from.on('error', () => to.destroy());
  // The reader is gone: let the writer notice, as it would without us.
  to.on('error', () => from.destroy());
}

async function endOf(child: ChildProcess): Promise<RelayEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // Not 'exit': the last output must still be forwarded.
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

function forwardSignals(child: ChildProcess): () => void {
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  // In a terminal, Ctrl-C reaches the program directly.
  const interrupt = (): void => void (process.stderr.isTTY || child.kill('SIGINT'));
  const others = ['SIGTERM', 'SIGHUP'] as const;
  for (const signal of others) process.on(signal, forward);
  process.on('SIGINT', interrupt);
  return () => {
    for (const signal of others) process.off(signal, forward);
    process.off('SIGINT', interrupt);
  };
}

interface Relayed {
  readonly child: ChildProcess;
  readonly input: Readable;
  readonly parent: number;
}

/** Ends the program when our parent is gone. The end of its input alone is not a reason: the program may still have output. */
function endWithParent({ child, input, parent }: Relayed): () => void {
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    if (process.ppid === parent) return void (timer = setTimeout(check, checkEvery));
    timer = setTimeout(() => {
      child.kill('SIGTERM');
      timer = setTimeout(() => child.kill('SIGKILL'), grace);
    }, grace);
  };
  input.once('close', check);
  return () => {
    clearTimeout(timer);
    input.off('close', check);
  };
}
