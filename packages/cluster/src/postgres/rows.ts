import type { LogExtent } from '@turnwire/runtime/store';
import type { SessionClaim, SessionRecord, StoredEvent } from '@turnwire/runtime';

/** A row of `turnwire_sessions`. The driver returns eight-byte numbers as strings. */
export interface SessionRow {
  readonly number: string;
  readonly id: string;
  readonly tenant: string;
  readonly agent: string;
  readonly cwd: string;
  readonly title: string;
  readonly additional_directories: string;
  readonly facts: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | null;
  readonly epoch: number;
  readonly head_epoch: number;
  readonly head_sequence: string;
  readonly floor_epoch: number;
  readonly floor_sequence: string;
  readonly indexed_epoch: number;
  readonly indexed_sequence: string;
}

type ExtentColumns = Pick<SessionRow, 'head_epoch' | 'head_sequence' | 'floor_epoch' | 'floor_sequence'>;

/** The first and last position of a session's log, and the epoch of a requested event. */
export interface ExtentRow extends ExtentColumns {
  readonly epoch_at: number | null;
}

/** A row of `turnwire_events`. */
export interface EventRow {
  readonly sequence: string;
  readonly epoch: number;
  readonly at: string;
  readonly type: string;
  readonly payload: string;
  readonly key: string | null;
}

export function recordOf(row: SessionRow): SessionRecord {
  return {
    id: row.id,
    tenant: row.tenant,
    agent: row.agent,
    cwd: row.cwd,
    additionalDirectories: JSON.parse(row.additional_directories) as string[],
    title: JSON.parse(row.title) as string | null,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    closedAt: row.closed_at === null ? null : Number(row.closed_at),
    facts: JSON.parse(row.facts) as Record<string, unknown>,
  };
}

export function extentOf({ head_epoch, head_sequence, floor_epoch, floor_sequence }: ExtentColumns): LogExtent {
  return {
    floor: { epoch: floor_epoch, sequence: Number(floor_sequence) },
    head: { epoch: head_epoch, sequence: Number(head_sequence) },
  };
}

export function claimOf(row: SessionRow): SessionClaim {
  const indexedUpTo = { epoch: row.indexed_epoch, sequence: Number(row.indexed_sequence) };
  return { record: recordOf(row), epoch: row.epoch, head: extentOf(row).head, indexedUpTo };
}

export function eventOf({ sequence, epoch, at, type, payload, key }: EventRow): StoredEvent {
  return { sequence: Number(sequence), epoch, at: Number(at), type, payload, ...(key !== null && { key }) };
}
