import { methods, type shapes } from '@turnwire/protocol';

export type Definition = keyof typeof shapes;

type Row = { readonly side: string; readonly params: Definition; readonly result?: Definition };

/** The schema entry of a method; undefined for methods outside of the schema. */
export function methodRow(method: string): Row | undefined {
  return Object.hasOwn(methods, method) ? methods[method as keyof typeof methods] : undefined;
}

/** The schema type of a message's parameters or result; undefined where the schema defines none, or the message came from the wrong side. */
export function definitionOf(
  from: string,
  kind: 'request' | 'notification' | 'answer' | 'other',
  method: string,
): Definition | undefined {
  const row = methodRow(method);
  if (row === undefined || kind === 'other') return undefined;
  if (kind === 'answer') return from === row.side ? row.result : undefined;
  return from === row.side ? undefined : row.params;
}
