import { guessEncoding } from './guess-encoding.ts';

/** How a text is kept as bytes. */
export interface TextEncoding {
  /** `utf-8`, or a name iconv-lite knows. */
  readonly name: string;
  /** Whether a byte order mark comes first. It is no part of the text. */
  readonly mark: boolean;
}

/** A text and how it was kept. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding;
}

/** What a new file is kept as. */
export const utf8: TextEncoding = { name: 'utf-8', mark: false };

/** Turns the bytes of a text into its characters, piece by piece. No bytes are the end. Throws for what is no text. */
export type PieceDecoder = (bytes: Uint8Array) => string;

/** A decoder for a text too long to guess about: it is UTF-8, or what its byte order mark says. */
export function pieceDecoder(head: Uint8Array): PieceDecoder {
  const [name] = markedWith(head) ?? ['utf-8'];
  const decoder = new TextDecoder(name, { fatal: true });
  return (bytes) => {
    const text = decoder.decode(bytes, { stream: bytes.length > 0 });
    if (text.includes('\0')) throw new TypeError('a text holds no NUL');
    return text;
  };
}

const marks: readonly (readonly [name: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Reads bytes as text: UTF-8, what a byte order mark says, or else an encoding that is beyond doubt.
 * @returns undefined for what is no text, or could be one in several encodings, or would not come out the same when written back
 */
export async function decodeText(bytes: Uint8Array): Promise<DecodedText | undefined> {
  const [name, mark] = markedWith(bytes) ?? ['utf-8', []];
  const plain = decodeStrictly(bytes.subarray(mark.length), name);
  if (plain !== undefined) return { text: plain, encoding: { name, mark: mark.length > 0 } };
  if (mark.length > 0 || bytes.includes(0)) return undefined;
  const guess = await guessEncoding(bytes);
  if (guess === undefined) return undefined;
  const { default: iconv } = await import('iconv-lite');
  const text = iconv.decode(Buffer.from(bytes), guess);
  return iconv.encode(text, guess).equals(bytes) ? { text, encoding: { name: guess, mark: false } } : undefined;
}

/** @returns undefined when the text holds what the encoding has no place for */
export async function encodeText(text: string, { name, mark }: TextEncoding): Promise<Uint8Array | undefined> {
  if (noText.test(text)) return undefined;
  if (name === 'utf-8') return Buffer.from(mark ? `\uFEFF${text}` : text);
  const { default: iconv } = await import('iconv-lite');
  const bytes = iconv.encode(text, name, { addBOM: mark });
  return iconv.decode(bytes, name, { stripBOM: mark }) === text ? bytes : undefined;
}

function markedWith(bytes: Uint8Array): (typeof marks)[number] | undefined {
  return marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
}

// With the `u` flag the latter is only a surrogate that stands alone.
const noText = /[\0\uD800-\uDFFF]/u;

/** Text without NUL, or undefined. */
function decodeStrictly(bytes: Uint8Array, name: string): string | undefined {
  try {
    const text = new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
