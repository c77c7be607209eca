import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentProgram } from './agent-program.ts';
import { clientProgram, type Turn, type TurnCommand } from './client-program.ts';
import { exampleProgram } from './example-program.ts';
import { type Program, stepNames } from './program.ts';

/** The programs, in the order of the table. */
export const programs: readonly Program[] = [
  clientProgram({
    name: 'acpx',
    packages: ['acpx@0.19.1'],
    steps: stepNames,
    driver: (modules) => Promise.resolve((turn) => acpx(join(modules, 'acpx/dist/cli.js'), turn)),
  }),
  agentProgram('pi'),
  agentProgram('claude'),
  clientProgram({
    name: 'use-acp',
    packages: ['use-acp@0.2.6', 'react@19.2.0', 'react-dom@19.2.0', 'react-test-renderer@19.2.0', 'ws@8.23.0'],
    steps: stepNames,
    driver: (modules) => scriptIn(modules, 'use-acp.mjs'),
  }),
  clientProgram({
    name: '@mcpc-tech/acp-ai-provider',
    packages: ['@mcpc-tech/acp-ai-provider@0.2.9'],
    // It never cancels, and chooses the first option of every question.
    steps: ['write', 'run', 'load'],
    driver: (modules) => scriptIn(modules, 'ai-provider.mjs'),
  }),
  exampleProgram,
];

/** A program that uses the library as its documentation shows, next to the packages that it imports. */
async function scriptIn(modules: string, name: string): Promise<(turn: Turn) => readonly TurnCommand[]> {
  const source = fileURLToPath(new URL(`drivers/${name}`, import.meta.url));
  const script = join(modules, '..', basename(source));
  await copyFile(source, script);
  return (turn) => [{ words: [script, JSON.stringify(turn)] }];
}

function acpx(program: string, { prompt, policy, isCancelled, load, agent }: Turn): readonly TurnCommand[] {
  const command = agent.map((word) => `'${word}'`).join(' ');
  const options = [`--${policy === 'allow' ? 'approve' : 'deny'}-all`, '--ttl', '1', '--format', 'json'];
  const acpxWith = (...words: readonly string[]): TurnCommand => ({
    words: [program, ...options, '--agent', command, ...words],
  });
  if (isCancelled) return [{ ...acpxWith('exec', prompt), signal: 'SIGINT' }];
  if (load === undefined) return [acpxWith('exec', prompt)];
  return [acpxWith('sessions', 'new', '--resume-session', load), acpxWith('prompt', prompt)];
}
