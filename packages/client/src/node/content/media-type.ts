import { lookup } from 'mrmime';

/** What agents take as `image`. */
const images = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml']);
/** What agents take as `audio`. */
const sounds = new Set(['audio/wav', 'audio/mpeg', 'audio/ogg', 'audio/flac', 'audio/aac']);

/** Other names for the same thing. */
const synonyms: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'audio/x-wav': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'audio/mp3': 'audio/mpeg',
  'audio/opus': 'audio/ogg',
};

/** Which block a media type can go into besides a link. */
export function mediaKind(type: string | undefined): 'image' | 'audio' | undefined {
  if (type === undefined) return undefined;
  if (images.has(type)) return 'image';
  return sounds.has(type) ? 'audio' : undefined;
}

/** The media type of what is no text, by its first bytes, whatever its name says; undefined if they are those of nothing known. */
export async function binaryType(head: Uint8Array): Promise<string | undefined> {
  // Only here, since it is large and most prompts attach nothing of the kind.
  const { fileTypeFromBuffer } = await import('file-type');
  const mime = (await fileTypeFromBuffer(head))?.mime.split(';')[0];
  return mime === undefined ? undefined : (synonyms[mime] ?? mime);
}

/** The media type of a text by its name. Types that are no text lose: `.ts` is TypeScript here, never a video. */
export function textType(head: Uint8Array, path: string): string {
  if (/\.svg$/iu.test(path)) return isSvg(head) ? 'image/svg+xml' : 'text/plain';
  const type = lookup(path);
  return type !== undefined && isTextual(type) ? type : 'text/plain';
}

// It has no signature of its own, and HTML may hold one: so the name counts too.
function isSvg(head: Uint8Array): boolean {
  return /<svg[\s>]/u.test(Buffer.from(head).toString('latin1'));
}

function isTextual(type: string): boolean {
  return (
    type.startsWith('text/') || /^application\/(?:[\w.-]+\+json|json5?|javascript|toml|sql|xml|xhtml\+xml)$/u.test(type)
  );
}
