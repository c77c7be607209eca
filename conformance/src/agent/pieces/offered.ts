import { Stopped } from '../../wire/stopped.ts';
import type { RawMessage } from '../../wire/journal.ts';
import { asMessage } from '../../wire/messages.ts';
import type { Initialized } from '../agent-stage.ts';

/** Whether an agent advertises something: true, or an object, at a path of its capabilities such as `sessionCapabilities.list`. */
export function isOffered({ capabilities }: Initialized, path: string): boolean {
  let value: unknown = capabilities;
  for (const key of path.split('.')) value = asMessage(value)?.[key];
  return value === true || asMessage(value) !== undefined;
}

/** Continues only if the agent advertises all of these. */
export function expectOffered(initialized: Initialized, ...paths: readonly string[]): void {
  for (const path of paths) if (!isOffered(initialized, path)) throw new Stopped(`${path} is not advertised`);
}

/** Continues only if the value is an object: part of an answer that is optional. */
export function expectPart(value: unknown, missing: string): RawMessage {
  const part = asMessage(value);
  if (part === undefined) throw new Stopped(missing);
  return part;
}
