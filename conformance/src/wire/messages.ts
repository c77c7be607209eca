import type { JournalEntry, RawMessage } from './journal.ts';

/** A request or notification of the subject. */
export type Incoming = RawMessage & { readonly id?: unknown; readonly method: string };

/** The error of an answer, as far as it is valid. */
export interface ReplyError {
  readonly code: unknown;
  readonly message: unknown;
  readonly data?: unknown;
}

/** An answer. It has either `result` or `error`, if the subject follows JSON-RPC. */
export interface Reply {
  readonly entry: JournalEntry;
  readonly result: unknown;
  readonly error: ReplyError | undefined;
}

/** A value as an object; undefined for other values. */
export function asMessage(value: unknown): RawMessage | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawMessage) : undefined;
}

/** What is in a value by a way through objects and lists; undefined where the way ends. */
export function at(value: unknown, ...way: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of way) found = (found as Readonly<Record<string, unknown>> | null | undefined)?.[step];
  return found;
}

/** Every object in a list; nothing if it is none. */
export function objectsIn(value: unknown): readonly RawMessage[] {
  return Array.isArray(value) ? value.map(asMessage).filter((each) => each !== undefined) : [];
}

/** A value as a sentence has it: as JSON. */
export function quoted(value: unknown): string {
  return JSON.stringify(value);
}

export function isRequest(message: RawMessage | undefined): message is Incoming {
  return message !== undefined && typeof message['method'] === 'string' && message['id'] !== undefined;
}

/** Whether a message is an answer to exactly this id: `1` and `"1"` differ. */
export function isAnswerTo(id: unknown, message: RawMessage): boolean {
  return message['method'] === undefined && 'id' in message && JSON.stringify(message['id']) === JSON.stringify(id);
}

export function errorOf(message: RawMessage): ReplyError | undefined {
  const error = asMessage(message['error']);
  return error && { code: error['code'], message: error['message'], ...('data' in error && { data: error['data'] }) };
}
