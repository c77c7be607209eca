import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../../tools/bundle-program.mjs';

export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** The command that runs a fixture from its TypeScript source. */
export function fixtureCommand(name: string, ...args: readonly string[]): [command: string, args: string[]] {
  const path = fileURLToPath(new URL(`fixtures/${name}.ts`, import.meta.url));
  return [process.execPath, [bundleProgram(path), ...args]];
}

/** Runs a fixture in a process of its own. */
export function spawnFixture(name: string, ...args: readonly string[]): Child {
  const [command, rest] = fixtureCommand(name, ...args);
  return spawn(command, rest, { stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Waits until the process has exited and its output is read. */
export async function exitOf(child: Child): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

/** All text of a stream until its end. */
export async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
