import type { Said } from './talk.ts';

/** Connections in which one requirement is kept, and others in which it is not. */
export interface AuditCase {
  /** There was an opportunity to break it. Nothing else is broken here either. */
  readonly held: readonly Said[];
  /** Empty for what is allowed. */
  readonly broken: readonly (readonly Said[])[];
}

/** Cases by the id of their requirement; what is allowed by what that is. */
export type AuditCases = { readonly [id: string]: AuditCase };

/** What a side may do, in which nothing must be found broken. */
export function allowed(lines: readonly Said[]): AuditCase {
  return { held: lines, broken: [] };
}
