import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { commandWords, withoutProjectPackages } from '@turnwire/client/node';
import { disown, programContext, spawnRule, startFailure, type Started, startTree } from '@turnwire/machine';
import { within } from '@turnwire/machine/waits';
import { stdioTransport } from '@turnwire/transports/stdio';
import { replayClient, traceOf } from '@turnwire/trace';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { startableWords } from '../../driving/remote-agent.ts';
import { Stopping } from '../../stopping.ts';
import { stdout } from '../../terminal/output.ts';
import { environmentWith } from '../environment-with.ts';
import { differences } from './diff-traces.ts';
import { readableTrace } from './unreadable.ts';

/** How long an agent may take to exit once its stdin is closed, in milliseconds. */
const grace = 2_000;
const endSteps = { terminate: grace, kill: 500 };

type Child = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Starts an agent and replays the client of a trace. Deviations of the agent are reported on stderr, and the different frames are printed.
 * Resolves with 1 if the agent differs from the recorded one.
 */
export async function replayAsClient(
  path: string,
  { words, answerTimeout }: { readonly words: readonly string[]; readonly answerTimeout: number },
  options: Pick<GlobalOptions, 'cwd' | 'env'>,
): Promise<number> {
  const trace = await readableTrace(path);
  using stopping = new Stopping(undefined);
  const { child, tree } = await started(words, options);
  const exited = once(child, 'exit');
  stopping.signal.addEventListener('abort', () => void tree.end(endSteps));
  const transport = stdioTransport({ input: child.stdout, output: child.stdin, noise: 'report' });
  const { differences: otherwise, frames } = await replayClient(trace, transport, {
    timeout: answerTimeout,
    // The exit of an agent that we ended is expected.
    onDifference: (message) => void (stopping.reason ?? warn(message)),
  });
  await within(grace, exited);
  await tree.end({ ...endSteps, terminate: 0 });
  disown(tree);
  if (stopping.reason !== undefined) return stopping.reason.exitCode;
  for (const line of differences(trace, traceOf(frames))) stdout.printLine(line);
  return otherwise.length === 0 ? exitCodes.ok : exitCodes.error;
}

async function started(
  command: readonly string[],
  { cwd, env }: Pick<GlobalOptions, 'cwd' | 'env'>,
): Promise<Started<Child>> {
  const words = await withoutProjectPackages(commandWords(startableWords(command)));
  const context = { cwd, env: environmentWith({ env }) };
  try {
    return await startTree<Child>(spawnRule(words, programContext(cwd, context.env)), context, [
      'pipe',
      'pipe',
      'inherit',
    ]);
  } catch (error) {
    const reason = startFailure(words[0], cwd, error as NodeJS.ErrnoException);
    throw new CommandError(`the agent cannot be started: ${reason}`, exitCodes.error);
  }
}
