import type { Case } from './case.ts';
import { memoryCases } from './memory-cases.ts';
import { roundTripCases } from './round-trip-cases.ts';
import { startCases } from './start-cases.ts';
import { streamCases } from './stream-cases.ts';

export const cases: readonly Case[] = [...streamCases, ...roundTripCases, ...startCases, ...memoryCases];
