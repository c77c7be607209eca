import type { ScriptedLine } from './talk.ts';

/** Connections that meet one requirement, and others that break it. */
export interface AuditCase {
  /** A connection with an opportunity to break it. It contains no other violation either. */
  readonly held: readonly ScriptedLine[];
  /** Empty for permitted behaviour. */
  readonly broken: readonly (readonly ScriptedLine[])[];
}

/** Cases by requirement id; permitted behaviour by its description. */
export type AuditCases = { readonly [id: string]: AuditCase };

/** Permitted behaviour, in which no violation must be found. */
export function allowed(lines: readonly ScriptedLine[]): AuditCase {
  return { held: lines, broken: [] };
}
