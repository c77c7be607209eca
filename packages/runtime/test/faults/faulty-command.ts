import { fileURLToPath } from 'node:url';

/** The command of the faulty agent. */
export function faulty(...faults: readonly string[]): readonly string[] {
  return [process.execPath, fileURLToPath(new URL('fixtures/faulty-agent.mjs', import.meta.url)), ...faults];
}
