import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { disown, programContext, spawnRule, startFailure, type Started, startTree } from '@turnwire/machine';
import { within } from '@turnwire/machine/waits';
import type { Exit, Line, LineReceiver } from './line.ts';
import { linesTo } from './lines-to.ts';

export interface Command {
  /** The program and its arguments, unchanged: no shell parses them. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const keptOfStderr = 64 * 1024;
/** Milliseconds from the end of its input until a process is terminated, and then until it is killed. */
const endTimeout = 1_000;
/** Milliseconds to wait for the end of stderr after the end of stdout. */
const stderrTimeout = 250;

/** Starts a program and connects to its stdin and stdout. Rejects with the reason if it cannot be started. */
export async function startProcessLine({ argv, cwd, env }: Command): Promise<Line> {
  const [program = '', ...rest] = argv;
  const rule = spawnRule([program, ...rest], programContext(cwd, env));
  try {
    return lineOf(await startTree<ChildProcessWithoutNullStreams>(rule, { cwd, env }, 'pipe'));
  } catch (cause) {
    throw new Error(startFailure(program, cwd, cause as NodeJS.ErrnoException), { cause });
  }
}

function lineOf({ child, tree }: Started<ChildProcessWithoutNullStreams>): Line {
  const { stdin } = child;
  // The outputs may still contain data after the process has exited.
  const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const stderr = tailOf(child.stderr, keptOfStderr);
  // A process that no longer reads is noticed by its missing answers.
  stdin.on('error', () => undefined);
  return {
    start: (receiver) => listen(child, receiver),
    send: (text) => void stdin.write(`${text}\n`),
    sendBytes: (bytes) => new Promise((resolve) => stdin.write(bytes, () => resolve())),
    endInput: () => void stdin.end(),
    lastOutput: stderr,
    process: { pid: tree.leader, exited, stderr, kill: (signal) => void tree.signal(signal) },
    close: async () => {
      stdin.end();
      await within(endTimeout, exited);
      await tree.end({ terminate: endTimeout, kill: endTimeout });
      disown(tree);
      await exited;
      await within(endTimeout, drained);
    },
  };
}

/** Forwards the lines of stdout. The end follows only after stderr, because findings quote its last lines. */
function listen({ stdout, stderr }: ChildProcessWithoutNullStreams, receiver: LineReceiver): void {
  const lines = linesTo(receiver);
  const stderrClosed = new Promise<void>((resolve) => stderr.once('close', () => resolve()));
  stdout.on('data', (chunk: Buffer) => lines.take(chunk));
  stdout.once('end', () => void within(stderrTimeout, stderrClosed).then(() => lines.end()));
}

/** Returns a function that returns the last characters of a stream, up to the limit. */
export function tailOf(stream: NodeJS.ReadableStream, kept: number): () => string {
  let tail = '';
  stream.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-kept)));
  return () => tail;
}
