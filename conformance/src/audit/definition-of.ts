import { methods, type shapes } from '@agentwire/protocol';
import type { Frame } from './frame.ts';

/** The name of a definition of the schema. */
export type Definition = keyof typeof shapes;

type Row = {
  readonly side: string;
  readonly params: Definition;
  readonly result?: Definition;
};

/** What the schema says of a method; undefined for methods it does not have. */
export function methodRow(method: string): Row | undefined {
  return Object.hasOwn(methods, method) ? methods[method as keyof typeof methods] : undefined;
}

/** What the parameters or the result of a frame must be; undefined where the schema says nothing, or it came from the wrong side. */
export function definitionOf(frame: Frame): Definition | undefined {
  const row = methodRow(frame.method);
  if (row === undefined || frame.kind === 'other') return undefined;
  if (frame.kind === 'answer') return frame.from === row.side ? row.result : undefined;
  return frame.from === row.side ? undefined : row.params;
}
