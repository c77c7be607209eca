import { addedLatency } from './added-latency.ts';
import { kill } from './kill.ts';
import { slowReader } from './slow-reader.ts';
import { storm } from './storm.ts';
import type { Trial } from './trial.ts';

/** All trials of a gateway. */
export const trials: readonly Trial[] = [addedLatency, storm, slowReader, kill];
