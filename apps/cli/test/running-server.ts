import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { commandWords, plainEnvironment } from './command.ts';

/** What `turnwire serve --json` printed, and its process. */
export interface RunningServer {
  readonly url: string;
  readonly acp: string;
  readonly token: string;
  /** The address of the web client, with a ticket. */
  readonly web: string;
  readonly pid: number;
  readonly socket?: string;
  readonly child: ChildProcess;
  /** All that it printed there, once it has ended. */
  readonly stderr: Promise<string>;
  /** Ends it with a signal. Resolves with its exit code. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** The agent of `fixtures/whole-turns-agent.ts`, as a command. */
export function wholeTurnsAgent(): string {
  const program = bundleProgram(fileURLToPath(new URL('fixtures/whole-turns-agent.ts', import.meta.url)));
  return `'${process.execPath}' '${program}'`;
}

/** Starts `turnwire serve` with its state in a folder, and waits until it listens. */
export async function startServer(
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const child = spawn(process.execPath, [...commandWords, '--cwd', folder, 'serve', '--json', ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...plainEnvironment, XDG_STATE_HOME: `${folder}/state`, ...env },
  });
  const stderr = text(child.stderr);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(async ([code]) => {
      throw new Error(`the server ended with ${code}: ${await stderr}`);
    }),
  ])) as [string];
  return {
    ...(JSON.parse(line) as Omit<RunningServer, 'child' | 'stderr' | 'end'>),
    child,
    stderr,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}
