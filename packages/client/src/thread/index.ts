export { reduce, reduceAll } from './reduce.ts';
export { emptyThread } from './thread.ts';
export type * from './thread-event.ts';
export type * from './thread-view.ts';
