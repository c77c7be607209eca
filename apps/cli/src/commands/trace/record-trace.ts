import { join } from 'node:path';
import { withoutProjectPackages } from '@turnwire/client/node';
import { relayProcess, type RelayEnd, traceWriter } from '@turnwire/trace/node';
import { CommandError, warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { startableWords } from '../../driving/remote-agent.ts';
import { stateFolder } from '@turnwire/machine';
import { environmentWith } from '../environment-with.ts';
import { stdout } from '../../terminal/output.ts';

/** The options of `trace record`. */
export interface RecordOptions {
  /** The trace file. Default: a new file in our state folder, named on stderr. */
  readonly out?: string | undefined;
  /** Texts to hide. */
  readonly secret: readonly string[];
  /** Whether prompts are recorded. */
  readonly prompts: boolean;
}

/** The exit codes of shells for a program that does not exist or cannot run. */
const notFound = 127;
const notRunnable = 126;

/**
 * Starts an agent, relays between it and the client on stdin and stdout, and records the frames of both. Resolves with the agent's exit
 * code; if a signal ended the agent, the same signal ends this process.
 */
export async function recordTrace(
  words: readonly string[],
  options: RecordOptions,
  { cwd, env }: Pick<GlobalOptions, 'cwd' | 'env'>,
): Promise<number> {
  const [program = '', ...rest] = startableWords(words);
  const path =
    options.out ??
    join(stateFolder(), 'traces', `${new Date().toISOString().replaceAll(':', '-')}-${process.pid}.jsonl`);
  if (options.out === undefined) warn(`recording to ${path}`);
  const writer = traceWriter({
    path,
    secrets: options.secret,
    keepPrompts: options.prompts,
    header: { command: words },
    onProblem: warn,
  });
  writer.note({ type: 'launch', command: words, cwd });
  try {
    const end = await relayProcess({
      command: await withoutProjectPackages([program, ...rest]),
      cwd,
      env: environmentWith({ env }),
      tap: writer.tap,
    });
    writer.note({ type: 'exit', code: end.code, signal: end.signal });
    await writer.close();
    return await endLike(end);
  } catch (error) {
    await writer.close();
    throw notStarted(program, error);
  }
}

async function endLike({ code, signal }: RelayEnd): Promise<number> {
  if (signal === null) return code ?? 1;
  await stdout.flushed();
  process.kill(process.pid, signal);
  // A signal takes a moment to arrive, and some do not end this process.
  return new Promise((resolve) => setTimeout(resolve, 1000, notRunnable));
}

function notStarted(program: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new CommandError(`${program} cannot be started: there is no such program`, notFound);
  return new CommandError(`${program} cannot be started: ${message}`, notRunnable);
}
