import { invalidParams } from '@turnwire/protocol';
import { type Cursor, readCursor, type Subscriber } from '@turnwire/runtime';
import type { Scope } from '../auth/principal.ts';
import { turnwireMeta } from './turnwire-meta.ts';

/** The `_meta.turnwire` of `session/load` and `session/resume`. */
interface OpeningMeta {
  readonly role: Subscriber['role'];
  /** The last event that the client has. */
  readonly after?: Cursor;
  /** How long the session keeps its agent without clients and work, in milliseconds. */
  readonly idle?: number;
  /** Start the agent before answering. */
  readonly wakes: boolean;
  /** Fail instead of starting over if the agent cannot restore the session. */
  readonly failsIfLost: boolean;
}

/** Parses the `_meta` of a `session/load` or `session/resume`. Throws the ProtocolError to answer with if it is not valid. */
export function openingMeta(meta: Readonly<Record<string, unknown>> | null | undefined, scope: Scope): OpeningMeta {
  const { after: text, role: wanted, wake, ifLost, idle } = turnwireMeta<'session/resume'>(meta);
  const after = text === undefined ? undefined : cursorIn(text);
  const role = wanted === 'observe' || scope === 'observe' ? 'observe' : 'control';
  const common = { role, ...(after && { after }), failsIfLost: ifLost === 'fail' } as const;
  // An observer changes nothing: it neither starts the agent nor sets its idle time.
  if (role === 'observe') return { ...common, wakes: false };
  return { ...common, wakes: wake === true, ...(idle !== undefined && { idle: idleTime(idle) }) };
}

function cursorIn(text: unknown): Cursor {
  const after = readCursor(text);
  if (!after) throw invalidParams('_meta.turnwire.after: the cursor of an update is needed, such as "1.42"');
  return after;
}

function idleTime(value: unknown): number {
  if (typeof value !== 'number' || value < 0)
    throw invalidParams('_meta.turnwire.idle: a number of milliseconds, or 0 for no limit');
  return value === 0 ? Infinity : value;
}
