/** The kind of a document, for a model. */
export type DocumentKind = 'html' | 'text' | 'image' | 'other';

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const textTypes =
  /^(?:text\/.+|application\/(?:(?:.+\+)?(?:json|xml|yaml)|jsonl|ndjson|x-ndjson|x-yaml|toml|javascript|ecmascript|x-javascript|typescript|x-sh|sql|graphql|x-www-form-urlencoded|rtf)|image\/svg\+xml|message\/.+)$/;
/** Types that servers use for unknown content. */
const anything = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/unknown', '*/*']);

/** The kind of a document by its content type. @returns undefined if the type is unspecific, and the content has to be checked */
export function kindOfType(type: string): DocumentKind | undefined {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (textTypes.test(type)) return 'text';
  if (imageTypes.has(type)) return 'image';
  return anything.has(type) ? undefined : 'other';
}

/** The kind of a document by its first bytes. */
export function kindOfBytes(bytes: Uint8Array): DocumentKind {
  const head = bytes.subarray(0, 4_096);
  if (head.includes(0)) return 'other';
  const text = new TextDecoder('utf-8', { fatal: false }).decode(head);
  // The last character may be incomplete.
  if (text.slice(0, -4).includes('\uFFFD')) return 'other';
  return /^\s*<(?:!doctype html|html)[\s>]/i.test(text) ? 'html' : 'text';
}

/** Decodes text: by its byte order mark, then the server's charset, then the page's own, else as UTF-8. */
export function decodeText(bytes: Uint8Array, charset: string | undefined, isHtml: boolean): string {
  const label = markedEncoding(bytes) ?? charset ?? (isHtml ? declaredEncoding(bytes) : undefined) ?? 'utf-8';
  const decoder = decoderFor(label);
  const text = decoder.decode(bytes);
  return decoder.encoding === 'windows-1252' ? withPunctuation(text) : text;
}

/** The characters of Windows-1252 that Latin 1 lacks; Node 20 treats the first as the second. */
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
