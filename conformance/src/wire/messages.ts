import type { FrameFlaw } from '@turnwire/trace';
import type { Subject } from '../requirements/requirement.ts';

/** A JSON-RPC message as it was received: nothing about it is certain. */
export type RawMessage = { readonly [key: string]: unknown };

/** A line of the wire, or something else that happened on it. */
export interface JournalEntry {
  /** Milliseconds since the connection began. */
  readonly at: number;
  readonly from: Subject;
  /** The line, without its end. Of bytes that are not UTF-8: with replacement characters. */
  readonly text: string;
  /** The text parsed; absent if it is not JSON. */
  readonly message?: unknown;
  /** What is wrong with the line as bytes: not UTF-8, cut off, too long. */
  readonly flaw?: FrameFlaw;
}

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

/** JSON as a value; undefined if it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

/** Whether capabilities have `true` or an object at a path such as `fs.readTextFile`. */
export function isOffered(capabilities: unknown, path: string): boolean {
  const value = at(capabilities, ...path.split('.'));
  return value === true || asMessage(value) !== undefined;
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
