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

/** The maximum size of the kept end of the output, in bytes. */
const mostOutput = 30_000;
/** How long processes may take to end, and how long to wait for an output that others hold open, in milliseconds. */
const endSteps = { terminate: 1_000, kill: 500 };

/** A command line of the user, and its options. */
export interface UserCommand {
  readonly line: string;
  readonly cwd: string;
  /** Ends the command and all its processes. */
  readonly signal: AbortSignal;
  /** Called with the end of the output whenever it grows. */
  readonly onOutput: (output: string) => void;
}

/** The result of a command. */
export interface UserCommandEnd {
  readonly output: string;
  /** Undefined if a signal ended the command. */
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
