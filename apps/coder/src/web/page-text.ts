/** What a document is, as far as a model is concerned. */
export type DocumentKind = 'html' | 'text' | 'image' | 'other';

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const textTypes =
  /^(?:text\/.+|application\/(?:(?:.+\+)?(?:json|xml|yaml)|jsonl|ndjson|x-ndjson|x-yaml|toml|javascript|ecmascript|x-javascript|typescript|x-sh|sql|graphql|x-www-form-urlencoded|rtf)|image\/svg\+xml|message\/.+)$/;
/** Servers say this when they know nothing. */
const anything = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/unknown', '*/*']);

/** Tells what a document is by its content type. @returns undefined where the type says nothing, and one has to look */
export function kindOfType(type: string): DocumentKind | undefined {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (textTypes.test(type)) return 'text';
  if (imageTypes.has(type)) return 'image';
  return anything.has(type) ? undefined : 'other';
}

/** Tells what a document of no particular type is by its first bytes. */
export function kindOfBytes(bytes: Uint8Array): DocumentKind {
  const head = bytes.subarray(0, 4_096);
  if (head.includes(0)) return 'other';
  const text = new TextDecoder('utf-8', { fatal: false }).decode(head);
  // One at the end may be half a character.
  if (text.slice(0, -4).includes('\uFFFD')) return 'other';
  return /^\s*<(?:!doctype html|html)[\s>]/i.test(text) ? 'html' : 'text';
}

/** Reads text in the encoding it says it has: by its first bytes, then by its server, then by a page's own word, else UTF-8. */
export function decodeText(bytes: Uint8Array, charset: string | undefined, isHtml: boolean): string {
  const label = markedEncoding(bytes) ?? charset ?? (isHtml ? declaredEncoding(bytes) : undefined) ?? 'utf-8';
  const decoder = decoderFor(label);
  const text = decoder.decode(bytes);
  return decoder.encoding === 'windows-1252' ? withPunctuation(text) : text;
}

/** What Windows has where Latin 1 has nothing; Node 20 takes the one for the other. */
const windowsCharacters = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function withPunctuation(text: string): string {
  return text.replaceAll(/[\x80-\x9f]/g, (character) => windowsCharacters.charAt(character.charCodeAt(0) - 0x80));
}

function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2_048));
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1];
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
