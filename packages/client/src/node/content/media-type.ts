import { lookup } from 'mrmime';

/** Types for `image` blocks. */
const images = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml']);
/** Types for `audio` blocks. */
const sounds = new Set(['audio/wav', 'audio/mpeg', 'audio/ogg', 'audio/flac', 'audio/aac']);

/** Other names of the same types. */
const synonyms: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'audio/x-wav': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'audio/mp3': 'audio/mpeg',
  'audio/opus': 'audio/ogg',
};

/** The kind of block for a media type, besides a link. */
export function mediaKind(type: string | undefined): 'image' | 'audio' | undefined {
  if (type === undefined) return undefined;
  if (images.has(type)) return 'image';
  return sounds.has(type) ? 'audio' : undefined;
}

/** The media type of binary content by its first bytes, independent of its name; undefined if it is unknown. */
export async function binaryType(head: Uint8Array): Promise<string | undefined> {
  // Loaded only here, since it is large and most prompts attach no binary files.
  const { fileTypeFromBuffer } = await import('file-type');
  const mime = (await fileTypeFromBuffer(head))?.mime.split(';')[0];
  return mime === undefined ? undefined : (synonyms[mime] ?? mime);
}

/** The media type of a text by its name. Types that are not text are ignored: `.ts` is TypeScript here, never a video. */
export function textType(head: Uint8Array, path: string): string {
  if (/\.svg$/iu.test(path)) return isSvg(head) ? 'image/svg+xml' : 'text/plain';
  const type = lookup(path);
  return type !== undefined && isTextual(type) ? type : 'text/plain';
}

// SVG has no signature, and HTML may contain SVG, so the name counts too.
function isSvg(head: Uint8Array): boolean {
  return /<svg[\s>]/u.test(Buffer.from(head).toString('latin1'));
}

function isTextual(type: string): boolean {
  return (
    type.startsWith('text/') || /^application\/(?:[\w.-]+\+json|json5?|javascript|toml|sql|xml|xhtml\+xml)$/u.test(type)
  );
}
