import { type Edition, type MethodRow, type shapes, v1 } from '@turnwire/protocol';
import { v2, type v2Shapes } from '@turnwire/protocol/v2';
import type { CheckedVersion } from '../requirements/requirement.ts';

export type Definition = keyof typeof shapes | keyof typeof v2Shapes;

type Row = MethodRow & { readonly params: Definition; readonly result?: Definition };

/** The schema of each version. */
export const editions: Readonly<Record<CheckedVersion, Edition>> = { 1: v1, 2: v2 };

/** The schema entry of a method; undefined for methods outside of the schema. */
export function methodRow({ methods }: Edition, method: string): Row | undefined {
  return Object.hasOwn(methods, method) ? (methods[method] as Row) : undefined;
}

/** The schema type of a message's parameters or result; undefined where the schema defines none, or the message came from the wrong side. */
export function definitionOf({
  edition,
  from,
  kind,
  method,
}: {
  readonly edition: Edition;
  readonly from: string;
  readonly kind: string;
  readonly method: string;
}): Definition | undefined {
  const row = methodRow(edition, method);
  if (row === undefined || kind === 'other') return undefined;
  if (kind === 'answer') return from === row.side ? row.result : undefined;
  return from === row.side ? undefined : row.params;
}
