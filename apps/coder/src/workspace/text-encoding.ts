import { guessEncoding } from './guess-encoding.ts';

/** How a text is stored as bytes. */
export interface TextEncoding {
  /** `utf-8`, or a name iconv-lite knows. */
  readonly name: string;
  /** Whether there is a byte order mark. It is not part of the text. */
  readonly mark: boolean;
}

/** A text and its encoding. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding;
}

/** The encoding of new files. */
export const utf8: TextEncoding = { name: 'utf-8', mark: false };

/** Decodes bytes in chunks. No bytes are the end. Throws for binary data. */
export type PieceDecoder = (bytes: Uint8Array) => string;

/** A decoder for a text too long to guess its encoding: UTF-8, or the one of its byte order mark. */
export function pieceDecoder(head: Uint8Array): PieceDecoder {
  const [name] = markedWith(head) ?? ['utf-8'];
  const decoder = new TextDecoder(name, { fatal: true });
  return (bytes) => {
    const text = decoder.decode(bytes, { stream: bytes.length > 0 });
    if (text.includes('\0')) throw new TypeError('a text contains no NUL');
    return text;
  };
}

const marks: readonly (readonly [name: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes bytes: as UTF-8, by the byte order mark, or in an encoding that is beyond doubt.
 * @returns undefined for binary data, for an ambiguous encoding, and if encoding again would give other bytes
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

/** @returns undefined if the encoding lacks a character of the text */
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

// With the `u` flag the latter only matches an unpaired surrogate.
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
