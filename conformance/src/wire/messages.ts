import type { FrameFlaw } from '@turnwire/trace';
import type { Subject } from '../requirements/requirement.ts';

/** A JSON-RPC message as received: any field may be missing or invalid. */
export type RawMessage = { readonly [key: string]: unknown };

/** A line of a connection. */
export interface JournalEntry {
  /** Milliseconds since the connection began. */
  readonly at: number;
  readonly from: Subject;
  /** The line without its line break. Invalid UTF-8 is shown with replacement characters. */
  readonly text: string;
  /** The text parsed; absent if it is not JSON. */
  readonly message?: unknown;
  /** An error in the bytes of the line: not UTF-8, cut off, or too long. */
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

/** An answer. It has either a `result` or an `error` if the subject follows JSON-RPC. */
export interface Reply {
  readonly entry: JournalEntry;
  readonly result: unknown;
  readonly error: ReplyError | undefined;
}

/** Parses JSON; undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value if it is an object, else undefined. */
export function asMessage(value: unknown): RawMessage | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawMessage) : undefined;
}

/** The value at a path through objects and lists; undefined if the path ends early. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) found = (found as Readonly<Record<string, unknown>> | null | undefined)?.[step];
  return found;
}

/** Whether capabilities contain `true` or an object at a path such as `fs.readTextFile`. */
export function isOffered(capabilities: unknown, path: string): boolean {
  const value = at(capabilities, ...path.split('.'));
  return value === true || asMessage(value) !== undefined;
}

/** The objects in a list; empty if the value is not a list. */
export function objectsIn(value: unknown): readonly RawMessage[] {
  return Array.isArray(value) ? value.map(asMessage).filter((each) => each !== undefined) : [];
}

/** A value as JSON, for use in a sentence. */
export function quoted(value: unknown): string {
  return JSON.stringify(value);
}

export function isRequest(message: RawMessage | undefined): message is Incoming {
  return message !== undefined && typeof message['method'] === 'string' && message['id'] !== undefined;
}

/** Whether a message is an answer with exactly this id: `1` and `"1"` differ. */
export function isAnswerTo(id: unknown, message: RawMessage): boolean {
  return message['method'] === undefined && 'id' in message && JSON.stringify(message['id']) === JSON.stringify(id);
}

export function errorOf(message: RawMessage): ReplyError | undefined {
  const error = asMessage(message['error']);
  return error && { code: error['code'], message: error['message'], ...('data' in error && { data: error['data'] }) };
}
