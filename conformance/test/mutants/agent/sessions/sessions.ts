import type { Mutant } from '../../mutant-line.ts';

export const sessionsMutants: readonly Mutant[] = [];
