import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { faulty } from '../../../../packages/runtime/test/faults/faulty-command.ts';
import { lastingWith } from '../../../../packages/runtime/test/faults/processes.ts';
import { commandWords, type Outcome, plainEnvironment, turnwire } from '../command.ts';

/** A project, and the command in it with a faulty agent. */
export interface FaultyFixture {
  readonly project: string;
  /** Runs the command with these words behind the agent's. */
  run(words: readonly string[]): Promise<Outcome>;
  /** Starts it in a process of its own. */
  start(words: readonly string[], options?: StartOptions): Run;
  /** Processes that are still there though everything should have ended. */
  left(): Promise<readonly string[]>;
}

/** How a run is started. */
interface StartOptions {
  /** A shell line in which `"$@"` is the command. Default: the command alone. */
  readonly shell?: string;
  readonly stdin?: 'ignore' | 'pipe';
}

/** A run of the command. */
interface Run {
  readonly child: ChildProcess;
  /** Reads what it prints to the end. */
  outcome(): Promise<Outcome>;
  /** Resolves when it has printed something on stdout. Reads until then. */
  printed(what: string): Promise<void>;
}

/** Makes a fixture; it is deleted when the test is over. */
export async function faultyFixture(...faults: readonly string[]): Promise<FaultyFixture> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-faults-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const mark = randomUUID();
  const agent = faulty(`mark=${mark}`, ...faults)
    .map((word) => `'${word}'`)
    .join(' ');
  const env = { XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config') };
  return {
    project: folder,
    left: () => lastingWith(mark),
    run: (words) => turnwire(['--agent', agent, ...words], { cwd: folder, env }),
    start: (words, { shell, stdin = 'ignore' } = {}) => {
      const command = [process.execPath, ...commandWords, '--agent', agent, ...words];
      const [program = '', ...rest] = shell === undefined ? command : ['/bin/sh', '-c', shell, 'sh', ...command];
      const stdio = [stdin, 'pipe', 'pipe'] as const;
      const child = spawn(program, rest, { cwd: folder, env: { ...plainEnvironment, ...env }, stdio: [...stdio] });
      onTestFinished(() => void child.kill('SIGKILL'));
      return runOf(child);
    },
  };
}

function runOf(child: ChildProcess): Run {
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stderr = text(child.stderr as NodeJS.ReadableStream);
  let seen = '';
  const chunks: string[] = [];
  return {
    child,
    printed: (what) =>
      new Promise((resolve) => {
        child.stdout?.on('data', (chunk: Buffer) => {
          seen += chunk.toString();
          chunks.push(chunk.toString());
          if (seen.includes(what)) resolve();
        });
      }),
    outcome: async () => {
      if (chunks.length === 0) child.stdout?.on('data', (chunk: Buffer) => void chunks.push(chunk.toString()));
      return { code: await code, stdout: chunks.join(''), stderr: await stderr };
    },
  };
}
