import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { commandWords, withoutProjectPackages } from '@turnwire/client/node';
import { stdioTransport } from '@turnwire/transports/stdio';
import { replayClient, traceOf } from '@turnwire/trace';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, complain } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { startableWords } from '../../remote-agent.ts';
import { Stopping } from '../../stopping.ts';
import { stdout } from '../../terminal/output.ts';
import { givenEnvironment } from '../given-environment.ts';
import { differences } from './diff-traces.ts';
import { readableTrace } from './unreadable.ts';

/** How long an agent may take to exit once its stdin is closed, in milliseconds. */
const grace = 2_000;

/**
 * Starts an agent and replays the client of a trace. Where the agent deviates is reported on stderr, and the frames that differ are
 * printed. Resolves with 1 if the agent did not do what the recorded one did.
 */
export async function replayAsClient(
  path: string,
  { words, patience }: { readonly words: readonly string[]; readonly patience: number },
  options: Pick<GlobalOptions, 'cwd' | 'env'>,
): Promise<number> {
  const trace = await readableTrace(path);
  using stopping = new Stopping(undefined);
  const agent = await started(words, options);
  stopping.signal.addEventListener('abort', () => kill(agent));
  const transport = stdioTransport({ input: agent.stdout, output: agent.stdin, noise: 'report' });
  const { differences: otherwise, frames } = await replayClient(trace, transport, {
    patience,
    // The exit of an agent that we ended is expected.
    onDifference: (message) => void (stopping.reason ?? complain(message)),
  });
  await end(agent);
  if (stopping.reason !== undefined) return stopping.reason.exitCode;
  for (const line of differences(trace, traceOf(frames))) stdout.printLine(line);
  return otherwise.length === 0 ? exitCodes.ok : exitCodes.error;
}

async function started(
  command: readonly string[],
  { cwd, env }: Pick<GlobalOptions, 'cwd' | 'env'>,
): Promise<ReturnType<typeof spawnAgent>> {
  const [program, ...words] = await withoutProjectPackages(commandWords(startableWords(command)));
  const agent = spawnAgent(program, words, { cwd, env: givenEnvironment({ env }) });
  const endWithUs = (): void => void agent.kill('SIGKILL');
  process.once('exit', endWithUs);
  agent.once('exit', () => process.off('exit', endWithUs));
  await once(agent, 'spawn').catch((error: unknown) => {
    throw new CommandError(`${command[0]} cannot be started: ${(error as Error).message}`, exitCodes.error);
  });
  return agent;
}

function spawnAgent(program: string, words: readonly string[], place: { cwd: string; env: NodeJS.ProcessEnv }) {
  return spawn(program, words, { ...place, stdio: ['pipe', 'pipe', 'inherit'] });
}

/** An agent that ignores SIGTERM gets SIGKILL. */
function kill(agent: ReturnType<typeof spawnAgent>): void {
  agent.kill('SIGTERM');
  const timer = setTimeout(() => agent.kill('SIGKILL'), grace);
  agent.once('exit', () => clearTimeout(timer));
}

async function end(agent: ReturnType<typeof spawnAgent>): Promise<void> {
  if (agent.exitCode !== null || agent.signalCode !== null) return;
  const exited = once(agent, 'exit');
  const timer = setTimeout(() => agent.kill('SIGKILL'), grace);
  await exited;
  clearTimeout(timer);
}
