import { addedLatency } from './added-latency.ts';
import { kill } from './kill.ts';
import { slowReader } from './slow-reader.ts';
import { storm } from './storm.ts';
import type { Trial } from './trial.ts';

/** What a gateway has to get through. */
export const trials: readonly Trial[] = [addedLatency, storm, slowReader, kill];
