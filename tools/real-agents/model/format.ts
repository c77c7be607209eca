import type { Conversation, Reply } from './conversation.ts';

/** A value as it came from JSON: looked at, never trusted. */
export type Json = Readonly<Record<string, unknown>>;

/** What a format needs to write an answer. */
export interface Answer {
  readonly model: string;
  /** A number that makes identifiers unique. */
  readonly number: number;
}

/** One way to talk with a model over HTTP. */
export interface ModelFormat {
  /** Says whether a request is for this format: by the end of its path. */
  readonly path: RegExp;
  read(body: Json): Conversation;
  /** Whether the answer is to be streamed. */
  isStreamed(body: Json, url: string): boolean;
  /** The answer as one object. */
  whole(reply: Reply, answer: Answer): Json;
  /** The answer as events of a stream; for `hang` all there is before the text that never ends. */
  events(reply: Reply, answer: Answer): readonly string[];
  /** One more piece of a text that never ends. */
  more(text: string, answer: Answer): string;
}

/** A server-sent event. */
export function sent(data: Json | string, event?: string): string {
  const body = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${body}\n\n`;
}

/** The text of content that is a string, or a list of parts of which some have a text. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((part: Json) => (typeof part['text'] === 'string' ? [part['text']] : [])).join('\n');
}

/** The objects of a list; of anything else none. */
export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : [];
}
