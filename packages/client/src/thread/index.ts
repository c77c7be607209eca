export type * from './thread-event.ts';
export type * from './thread-view.ts';
