export { reduce, reduceAll } from './reduce.ts';
export { commandOf } from './tool-call-data.ts';
export { isStateUpdate, type KnownUpdate } from './state-updates.ts';
export { type MergedCall, withReport } from './tool-calls.ts';
export { emptyTranscript } from './transcript.ts';
export type * from './transcript-event.ts';
export type * from './transcript-view.ts';
