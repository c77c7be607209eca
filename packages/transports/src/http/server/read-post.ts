import { type FrameAbout, frameAbout } from '@turnwire/protocol';
import { hasTooManyValues, maxValues } from '../../endpoint/count-values.ts';
import { headerOf, type Refusal } from '../../endpoint/endpoint-rules.ts';
import { PartialLine } from '../../lines/partial-line.ts';
import type { Exchange } from './exchange.ts';

/** A frame from the body of a request. */
export interface Posted {
  /** The frame. */
  readonly text: string;
  /** Facts about it. */
  readonly about: FrameAbout;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decoded(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** Reads the frame of a POST of at most 16 MiB, or another limit. Refuses a body that is not a frame. */
export async function readPost(exchange: Exchange, maxBytes: number = 16 * 1024 * 1024): Promise<Posted | Refusal> {
  const [type = ''] = (headerOf(exchange.request, 'content-type') ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== 'application/json')
    return { status: 415, message: 'Content-Type has to be application/json.' };
  const tooLong = { status: 413, message: `A message may have at most ${maxBytes} bytes.` };
  if (Number(headerOf(exchange.request, 'content-length') ?? 0) > maxBytes) return tooLong;
  const body = new PartialLine(maxBytes, decoded);
  await exchange.read((chunk) => {
    body.add(chunk);
    return !body.isOversize;
  });
  if (body.isOversize) return tooLong;
  try {
    return messageIn(body.read());
  } catch {
    return { status: 400, message: 'The body is not JSON in UTF-8.' };
  }
}

/** Throws SyntaxError if the text is not JSON. */
function messageIn(text: string): Posted | Refusal {
  if (hasTooManyValues(text)) return { status: 413, message: `A message may have at most ${maxValues} values.` };
  const message: unknown = JSON.parse(text);
  if (Array.isArray(message))
    return { status: 400, message: 'Batches are not part of the protocol: send one message.' };
  if (typeof message !== 'object' || message === null)
    return { status: 400, message: 'This is not a JSON-RPC message.' };
  return { text, about: frameAbout(message) };
}
