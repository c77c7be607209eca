import type { Mutant } from '../../mutant-line.ts';
import { initializeMutants } from './initialize.ts';

export const protocolMutants: readonly Mutant[] = [...initializeMutants];
