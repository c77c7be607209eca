import type { Mutant } from '../../mutant-line.ts';

export const turnsMutants: readonly Mutant[] = [];
