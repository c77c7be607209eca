export type * from './permissions.ts';
