import type { TransportWarning } from '@turnwire/protocol';
import { type After, readAfter } from './frame-order.ts';
import { LineSplitter } from '../lines/line-splitter.ts';

/** The part of a `ReadableStream` that is used. */
export interface EventBody {
  /** Reads the chunks, as in a `ReadableStream`. */
  getReader(): {
    /** Resolves with the next chunk. */
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  };
  /** Ends the body without reading the rest. */
  cancel(): Promise<void>;
}

/** Options of {@link eventFrames}. */
export interface EventReading {
  readonly maxFrameBytes: number;
  readonly warning: (report: TransportWarning) => void;
  /** Called for each chunk. `isComment`: it contains a comment, which servers send to keep a stream alive. */
  readonly seen: (isComment: boolean) => void;
  /** Called with the id of each complete event, before its frame is yielded, if the server numbers events. */
  readonly numbered: (id: string) => void;
}

/** A frame, and the frames of another stream that precede it. */
export interface EventFrame {
  readonly frame: string;
  readonly after: After | undefined;
}

/** The frames of an event stream: the data of its events. */
export async function* eventFrames(
  body: EventBody,
  { maxFrameBytes, warning, seen, numbered }: EventReading,
): AsyncGenerator<EventFrame, undefined> {
  const decoder = new TextDecoder();
  const decode = (bytes: Uint8Array, start: number, end: number): string => decoder.decode(bytes.subarray(start, end));
  const lines = new LineSplitter(maxFrameBytes + 'data: \r'.length, decode, warning);
  let data: string[] = [];
  let after: After | undefined;
  let id: string | undefined;
  const reader = body.getReader();
  for (let { value } = await reader.read(); value !== undefined; { value } = await reader.read()) {
    lines.feed(value);
    let isComment = false;
    for (let line = lines.next(); line !== undefined; line = lines.next()) {
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (text.startsWith('data:')) data.push(text.slice(text[5] === ' ' ? 6 : 5));
      if (text.startsWith('id:')) id = text.slice(3).trimStart();
      if (text.startsWith(':')) {
        isComment = true;
        after ??= readAfter(text);
      }
      if (text !== '') continue;
      if (id !== undefined) numbered(id);
      id = undefined;
      if (data.length === 0) continue;
      yield { frame: data.join('\n'), after };
      data = [];
      after = undefined;
    }
    seen(isComment);
  }
  return undefined;
}
