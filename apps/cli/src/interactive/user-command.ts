import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import {
  commandShell,
  endOf,
  endWithLeader,
  OutputTail,
  programContext,
  shellRule,
  startTree,
} from '@turnwire/machine';

/** How much of the end of the output is kept, in bytes. */
const mostOutput = 30_000;
/** How long processes have to end, and an output that others hold open is waited for, in milliseconds. */
const endSteps = { terminate: 1_000, kill: 500 };

/** What a command of the user is run with. */
export interface UserCommand {
  readonly line: string;
  readonly cwd: string;
  /** Ends the command and all that it started. */
  readonly signal: AbortSignal;
  /** Called with the end of the output so far, whenever there is more. */
  readonly onOutput: (output: string) => void;
}

/** How a command of the user ended. */
export interface UserCommandEnd {
  readonly output: string;
  /** Undefined: a signal ended it. */
  readonly exitCode: number | undefined;
}

/** Runs a command line of the user in the shell that agents' commands run in, with the user's environment and no input. */
export async function runUserCommand({ line, cwd, signal, onOutput }: UserCommand): Promise<UserCommandEnd> {
  const { env } = process;
  const rule = shellRule(line, commandShell().path, programContext(cwd, env));
  const started = await startTree<ChildProcessByStdio<null, Readable, Readable>>(rule, { cwd, env }, [
    'ignore',
    'pipe',
    'pipe',
  ]);
  endWithLeader(started);
  const { child, tree } = started;
  const kept = new OutputTail(mostOutput);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      kept.write(chunk);
      onOutput(kept.text());
    });
  const stop = (): void => void tree.end(endSteps);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const { code } = await endOf(child, endSteps.kill);
  signal.removeEventListener('abort', stop);
  return { output: kept.text(), exitCode: code ?? undefined };
}
