import type { Said } from './talk.ts';

/** Connections in which one requirement is kept, and others in which it is not. */
export interface AuditCase {
  /** There was an occasion to break it. Nothing else is broken here either. */
  readonly held: readonly Said[];
  /** Empty for what nobody can break: freedoms. */
  readonly broken: readonly (readonly Said[])[];
}

export type AuditCases = { readonly [id: string]: AuditCase };

/** A freedom: whoever takes it has exercised it. */
export function taken(held: readonly Said[]): AuditCase {
  return { held, broken: [] };
}
