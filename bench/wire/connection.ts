import { type ChildProcess, spawn } from 'node:child_process';
import { duplexPair } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { SessionUpdate } from '@turnwire/protocol';
import type { BenchClient, ProgramName } from './contender.ts';
import { loadContender } from './load-contender.ts';

const agentProcess = fileURLToPath(new URL('agent-process.js', import.meta.url));

/** A client and the process of its agent. */
export interface SpawnedAgent {
  readonly client: BenchClient;
  readonly child: ChildProcess;
}

/** Starts an agent as a child process, by default the contender's scripted one, and connects the contender's client. */
export async function spawnAgent(
  name: ProgramName,
  onUpdate: (update: SessionUpdate) => void,
  agentCommand: readonly string[] = [agentProcess, name],
): Promise<SpawnedAgent> {
  const contender = await loadContender(name);
  const child = spawn(process.execPath, agentCommand, { stdio: ['pipe', 'pipe', 'inherit'] });
  return { client: contender.connect({ input: child.stdout, output: child.stdin }, onUpdate), child };
}

/** Client and agent in this process, joined by bytes. */
export async function connectInProcess(name: ProgramName): Promise<BenchClient> {
  const contender = await loadContender(name);
  const [here, there] = duplexPair();
  contender.serve({ input: there, output: there });
  return contender.connect({ input: here, output: here }, () => undefined);
}

/** Ends an agent's process, and waits for its exit. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
