import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { LineTap } from './line-tap.ts';
import type { TraceWriter } from './trace-writer.ts';

/** What to run, and between whom. */
export interface RelayOptions {
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly [program: string, ...words: string[]];
  /** The folder it is started in. Default: ours. */
  readonly cwd?: string | undefined;
  /** Its environment. Default: ours. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** What the client writes. Default: our stdin. */
  readonly input?: Readable;
  /** Where the client reads. Default: our stdout. */
  readonly output?: Writable;
  /** Hears every line once its bytes are on their way: `out` is what the client said. */
  readonly tap: TraceWriter['tap'];
}

/** How the program ended. */
export interface RelayEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How long a program has to leave by itself when its client is gone, and then after SIGTERM: in milliseconds. */
const grace = 2_000;
/** How often is looked whether whoever started us is still there, once they have ended their direction: in milliseconds. */
const lookEvery = 250;

/**
 * Starts a program and stands between it and whoever speaks with it on our stdin and stdout. Bytes go through as they are and as they
 * come: partial lines, bytes that are no text, whatever; only then they are looked at. Whoever does not read slows the other one down, and
 * the end of either direction is passed on. stderr is the program's own. Signals that ask us to end go to the program.
 *
 * When our parent is gone the program is ended. Resolves when the program has ended and all it wrote is passed on; rejects with what
 * `spawn` reports.
 */
export async function relayProcess(options: RelayOptions): Promise<RelayEnd> {
  const { command, cwd, env, input = process.stdin, output = process.stdout, tap } = options;
  const [program, ...words] = command;
  const parent = process.ppid;
  const said = new LineTap((text, flaw) => tap('out', text, flaw));
  const heard = new LineTap((text, flaw) => tap('in', text, flaw));
  const child = spawn(program, words, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = endOf(child);
  const withdraw = forwardSignals(child);
  const keep = dropWith({ child, input, parent });
  pass(input, child.stdin, (chunk) => said.take(chunk));
  pass(child.stdout, output, (chunk) => heard.take(chunk));
  try {
    return await ended;
  } finally {
    heard.end();
    said.end();
    keep();
    withdraw();
    input.destroy();
  }
}

/** Passes bytes on, with their end and with back pressure, and shows them to somebody when they are on their way. */
function pass(from: Readable, to: Writable, show: (chunk: Buffer) => void): void {
  from.on('data', (chunk: Buffer) => {
    if (!to.write(chunk)) from.pause();
    show(chunk);
  });
  to.on('drain', () => from.resume());
  from.once('end', () => {
    // Our own stdout ends with us: it cannot be closed before.
    if (to !== process.stdout) to.end();
  });
  from.on('error', () => to.destroy());
  // Whoever reads is gone: whoever writes is to find out, as it would without us.
  to.on('error', () => from.destroy());
}

async function endOf(child: ChildProcess): Promise<RelayEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // Not 'exit': what it wrote last is still to be passed on.
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

function forwardSignals(child: ChildProcess): () => void {
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  // A terminal's Ctrl-C reaches the program without us.
  const interrupt = (): void => void (process.stderr.isTTY || child.kill('SIGINT'));
  const others = ['SIGTERM', 'SIGHUP'] as const;
  for (const signal of others) process.on(signal, forward);
  process.on('SIGINT', interrupt);
  return () => {
    for (const signal of others) process.off(signal, forward);
    process.off('SIGINT', interrupt);
  };
}

interface Dropping {
  readonly child: ChildProcess;
  readonly input: Readable;
  readonly parent: number;
}

/** Ends the program when whoever started us is gone. An end of input alone is no reason: it may still have something to say. */
function dropWith({ child, input, parent }: Dropping): () => void {
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    if (process.ppid === parent) return void (timer = setTimeout(look, lookEvery));
    timer = setTimeout(() => {
      child.kill('SIGTERM');
      timer = setTimeout(() => child.kill('SIGKILL'), grace);
    }, grace);
  };
  input.once('close', look);
  return () => {
    clearTimeout(timer);
    input.off('close', look);
  };
}
