import { initializeMutants } from './agent/initialize.ts';
import type { Mutant } from './mutant-line.ts';

/** Agents with one defect each. */
export const agentMutants: readonly Mutant[] = [...initializeMutants];
