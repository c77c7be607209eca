export { reduce, reduceAll } from './reduce.ts';
export { stateUpdates } from './state-updates.ts';
export { emptyTranscript } from './transcript.ts';
export type * from './transcript-event.ts';
export type * from './transcript-view.ts';
