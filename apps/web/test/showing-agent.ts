import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../../tools/bundle-program.mjs';

/** The agent of `fixtures/showing-agent.ts`, as words for `serve`. */
export function showingAgent(): readonly string[] {
  const program = bundleProgram(fileURLToPath(new URL('fixtures/showing-agent.ts', import.meta.url)));
  return ['--agent', `'${process.execPath}' '${program}'`];
}
