import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../../tools/bundle-program.mjs';

/** The agent of `fixtures/showing-agent.ts`, as arguments of `serve`. */
export function showingAgent(): readonly string[] {
  return agentOf(new URL('fixtures/showing-agent.ts', import.meta.url));
}

/** The agent of a fixture with its arguments, as arguments of `serve`. */
export function agentOf(fixture: URL, ...words: readonly string[]): readonly string[] {
  const program = bundleProgram(fileURLToPath(fixture));
  return ['--agent', [process.execPath, program, ...words].map((word) => `'${word}'`).join(' ')];
}
