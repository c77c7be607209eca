import type { Conversation, Reply } from './conversation.ts';

/** A value from untrusted JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** What a format needs to write an answer. */
export interface Answer {
  readonly model: string;
  /** A number that makes identifiers unique. */
  readonly number: number;
}

/** A model API over HTTP. */
export interface ModelFormat {
  /** Matches the end of the path of its requests. */
  readonly path: RegExp;
  read(body: Json): Conversation;
  /** Whether the request asks for a streamed answer. */
  isStreamed(body: Json, url: string): boolean;
  /** The answer as one object. */
  whole(reply: Reply, answer: Answer): Json;
  /** The answer as stream events; for `hang`, the events before the endless text. */
  events(reply: Reply, answer: Answer): readonly string[];
  /** One more chunk of an endless text. */
  more(text: string, answer: Answer): string;
}

/** A server-sent event. */
export function sent(data: Json | string, event?: string): string {
  const body = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${body}\n\n`;
}

/** The text of content that is a string, or a list of parts of which some have text. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((part: Json) => (typeof part['text'] === 'string' ? [part['text']] : [])).join('\n');
}

/** The objects in a list; empty for other values. */
export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : [];
}
