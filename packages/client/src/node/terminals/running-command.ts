import type { ChildProcessByStdio } from 'node:child_process';
import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { disown, endOf, type Started } from '@turnwire/machine';
import type { ConfinedRun } from '@turnwire/protocol';

/** The process of a terminal: without input; stderr is joined into stdout where there is a shell to do it. */
export type TerminalChild = ChildProcessByStdio<null, Readable, Readable>;

/** A process or our own code that runs in a terminal. */
export interface RunningCommand {
  readonly output: readonly Readable[];
  /** Never rejects. */
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Ends it. */
  end(): Promise<void>;
  /** Releases the resources of a command that was ended. */
  release(): void;
}

const endSteps = { terminate: 1_000, kill: 500 };
/** Milliseconds to wait for the exit of a command that was ended. */
export const endWait: number = endSteps.kill;
/** After the exit: milliseconds to wait for the rest of the output, which a descendant may keep open. */
const outputWait = 100;

export function runningProcess({ child, tree }: Started<TerminalChild>): RunningCommand {
  return {
    output: [child.stdout, child.stderr],
    exit: endOf(child, outputWait),
    end: () => tree.end(endSteps),
    release: () => {
      child.unref();
      disown(tree);
    },
  };
}

export function runningHere(run: ConfinedRun): RunningCommand {
  const output = new PassThrough();
  const stopped = new AbortController();
  const exit = exitOf(run, output, stopped.signal);
  return {
    output: [output],
    exit,
    end: async () => {
      stopped.abort();
      await exit;
    },
    release: () => undefined,
  };
}

async function exitOf(
  run: ConfinedRun,
  output: PassThrough,
  signal: AbortSignal,
): Promise<Awaited<RunningCommand['exit']>> {
  try {
    const code = await run((text) => void output.write(text), signal);
    return { code, signal: null };
  } catch (error) {
    if (signal.aborted) return { code: null, signal: 'SIGTERM' };
    output.write(`${String(error)}\n`);
    return { code: 1, signal: null };
  } finally {
    output.end();
    await finished(output).catch(() => undefined);
  }
}
