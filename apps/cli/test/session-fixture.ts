import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LockHolder, lockHolder } from '@turnwire/machine';
import { onTestFinished } from 'vitest';
import { untilEnded } from '../../../packages/transports/test/process-life.ts';
import { commandWords, type Outcome, plainEnvironment, type RunOptions, turnwire, turnwireApart } from './command.ts';

/** A place for the sessions of one test: its own state, its own project, and an agent that keeps sessions in files. */
export interface SessionFixture {
  readonly project: string;
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  /** A command line for `--agent`. */
  readonly agent: string;
  /** Runs the command with the agent, in the project. */
  readonly run: (words: readonly string[], options?: RunOptions) => Promise<Outcome>;
  /** The same in a process of its own, for runs at the same time. */
  readonly apart: (words: readonly string[], options?: RunOptions) => Promise<Outcome>;
  /** Runs it with nothing added but the state. */
  readonly bare: (words: readonly string[], options?: RunOptions) => Promise<Outcome>;
  /** The folder of the only session there is. */
  readonly sessionFolder: () => Promise<string>;
  /** The session host of the only session. */
  readonly hostPid: () => Promise<number>;
  /** Starts the command and leaves it running. */
  readonly start: (words: readonly string[]) => ReturnType<typeof spawn>;
}

/** Makes a fixture; when the test is over its session hosts are ended and it is deleted. */
export async function sessionFixture(...flags: readonly string[]): Promise<SessionFixture> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-fixture-')));
  const project = join(folder, 'project');
  const store = join(folder, 'agent');
  const state = join(folder, 'state');
  await Promise.all([mkdir(join(project, '.git'), { recursive: true }), mkdir(store), mkdir(state)]);
  const script = fileURLToPath(new URL('fixtures/session-agent.mjs', import.meta.url));
  const agent = [process.execPath, script, store, ...flags].map((word) => `'${word}'`).join(' ');
  const env = { XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(folder, 'config') };
  const within = (options: RunOptions): RunOptions => ({ cwd: project, ...options, env: { ...env, ...options.env } });
  const bare = (words: readonly string[], options: RunOptions = {}): Promise<Outcome> =>
    turnwire(words, within(options));
  const sessionFolder = async (): Promise<string> => {
    const root = join(state, 'turnwire', 'sessions');
    const [only] = await readdir(root);
    return join(root, only ?? '');
  };
  onTestFinished(async () => {
    await endHosts(join(state, 'turnwire', 'sessions'));
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  return {
    project,
    state,
    env,
    agent,
    bare,
    run: (words, options) => bare(['--agent', agent, ...words], options),
    apart: (words, options = {}) => turnwireApart(['--agent', agent, ...words], within(options)),
    sessionFolder,
    hostPid: async () => {
      const holder = await holderIn(await sessionFolder());
      if (!holder) throw new Error('no process hosts the session');
      return holder.pid;
    },
    start: (words) => {
      const child = spawn(process.execPath, [...commandWords, '--agent', agent, ...words], {
        cwd: project,
        env: { ...plainEnvironment, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    },
  };
}

/** The host of the session of a folder. */
function holderIn(folder: string): Promise<LockHolder | undefined> {
  return lockHolder(join(folder, 'host.lock'));
}

async function endHosts(root: string): Promise<void> {
  for (const id of await readdir(root).catch(() => [])) {
    const holder = await holderIn(join(root, id)).catch(() => undefined);
    if (!holder) continue;
    askToEnd(holder.pid);
    await untilEnded(holder.pid);
  }
}

function askToEnd(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}
