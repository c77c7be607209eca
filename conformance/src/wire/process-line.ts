import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { disown, programContext, spawnRule, startFailure, type Started, startTree } from '@turnwire/machine';
import { within } from '@turnwire/machine/waits';
import type { Exit, Line, LineReceiver } from './line.ts';
import { linesTo } from './lines-to.ts';

export interface Command {
  /** The program and its arguments, unchanged: no shell parses them. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const keptOfStderr = 64 * 1024;
/** Milliseconds from the end of its input until a process is terminated, and then until it is killed. */
const patience = 1_000;
/** Milliseconds from the end of its stdout until what it writes to stderr is no longer waited for. */
const lastWordsPatience = 250;

/** Starts a program, and talks to it over its stdin and stdout. Rejects with the reason if it cannot. */
export async function startProcessLine({ words, cwd, env }: Command): Promise<Line> {
  const [program = '', ...rest] = words;
  const rule = spawnRule([program, ...rest], programContext(cwd, env));
  try {
    return lineOf(await startTree<ChildProcessWithoutNullStreams>(rule, { cwd, env }, 'pipe'));
  } catch (cause) {
    throw new Error(startFailure(program, cwd, cause as NodeJS.ErrnoException), { cause });
  }
}

function lineOf({ child, tree }: Started<ChildProcessWithoutNullStreams>): Line {
  const { stdin } = child;
  // Its outputs may contain more than its end shows.
  const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const stderr = tailOf(child.stderr, keptOfStderr);
  // A process that does not read any more is recognised by its silence.
  stdin.on('error', () => undefined);
  return {
    start: (receiver) => listen(child, receiver),
    send: (text) => void stdin.write(`${text}\n`),
    sendBytes: (bytes) => new Promise((resolve) => stdin.write(bytes, () => resolve())),
    endInput: () => void stdin.end(),
    lastWords: stderr,
    process: { pid: tree.leader, exited, stderr, kill: (signal) => void tree.signal(signal) },
    close: async () => {
      stdin.end();
      await within(patience, exited);
      await tree.end({ terminate: patience, kill: patience });
      disown(tree);
      await exited;
      await within(patience, drained);
    },
  };
}

/** It ends with its stdout, behind what it said of that on stderr: findings quote it. */
function listen({ stdout, stderr }: ChildProcessWithoutNullStreams, receiver: LineReceiver): void {
  const lines = linesTo(receiver);
  const saidAll = new Promise<void>((resolve) => stderr.once('close', () => resolve()));
  stdout.on('data', (chunk: Buffer) => lines.take(chunk));
  stdout.once('end', () => void within(lastWordsPatience, saidAll).then(() => lines.end()));
}

/** The end of what a stream brought so far, of so many characters. */
export function tailOf(stream: NodeJS.ReadableStream, kept: number): () => string {
  let tail = '';
  stream.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-kept)));
  return () => tail;
}
