import type { ContentBlock, PromptCapabilities } from '@turnwire/protocol';
import { type AttachedFile, attachedFile, firstBytes } from './attached-file.ts';
import { type ContentOptions, defaultMediaLimit, defaultTextLimit } from './content-options.ts';
import { binaryType, mediaKind, textType } from './media-type.ts';

/** The content an agent supports in prompts, as advertised in `initialize`. Absent: not supported. */
export type KnownContent = Pick<PromptCapabilities, 'image' | 'audio' | 'embeddedContext'> | null | undefined;

/** A `text` block, which every agent supports. */
export function textContent(text: string): ContentBlock {
  return { type: 'text', text };
}

/**
 * A file as the best content its agent supports (ACP, "Content"):
 * - PNG, JPEG, GIF, WebP and SVG as `image`, with the capability `image`
 * - WAV, MP3, Ogg, FLAC and AAC as `audio`, with the capability `audio`
 * - UTF-8 text as `resource`, with the capability `embeddedContext`
 * - everything else as `resource_link`, which every agent supports: content without a capability, content above the limits, other formats,
 *   and folders
 *
 * The format is detected from the first bytes; the type of a text from its name.
 * @param path of a file or folder; relative to `options.cwd`
 * @throws TurnwireError `invalid-input` if it does not exist, cannot be read, or is a pipe, socket or device
 */
export async function fileContent(
  path: string,
  capabilities: KnownContent,
  options: ContentOptions = {},
): Promise<ContentBlock> {
  const file = await attachedFile(path, options.cwd);
  if (file.stats.isDirectory()) return link(file, 'inode/directory');
  const head = await firstBytes(file, headSize);
  const text = isText(head, head.length < file.stats.size);
  const mimeType = text ? textType(head, file.path) : await binaryType(head);
  const choice = { mimeType, capabilities, options };
  return mediaContent(file, choice) ?? (text ? textOrLink(file, choice) : link(file, mimeType));
}

interface Choice {
  readonly mimeType: string | undefined;
  readonly capabilities: KnownContent;
  readonly options: ContentOptions;
}

// The most that signatures need.
const headSize = 4100;

function mediaContent(
  file: AttachedFile,
  { mimeType, capabilities, options }: Choice,
): Promise<ContentBlock> | undefined {
  const type = mediaKind(mimeType);
  if (type === undefined || mimeType === undefined || capabilities?.[type] !== true) return undefined;
  const tooLarge = base64Length(file.stats.size) > (options.mediaLimit ?? defaultMediaLimit);
  return tooLarge ? Promise.resolve(link(file, mimeType)) : wholeMedia(file, { type, mimeType });
}

async function wholeMedia(
  file: AttachedFile,
  { type, mimeType }: { readonly type: 'image' | 'audio'; readonly mimeType: string },
): Promise<ContentBlock> {
  const data = (await firstBytes(file, file.stats.size)).toString('base64');
  return type === 'image' ? { type, data, mimeType, uri: file.uri } : { type, data, mimeType };
}

async function textOrLink(file: AttachedFile, { mimeType, capabilities, options }: Choice): Promise<ContentBlock> {
  const { size } = file.stats;
  if (capabilities?.embeddedContext !== true || size > (options.textLimit ?? defaultTextLimit))
    return link(file, mimeType);
  const bytes = await firstBytes(file, size);
  if (!isText(bytes, false)) return link(file, undefined);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { type: 'resource', resource: { uri: file.uri, text, mimeType: mimeType ?? null } };
}

function link({ uri, title, stats }: AttachedFile, mimeType: string | undefined): ContentBlock {
  const size = stats.isFile() ? { size: stats.size } : {};
  return { type: 'resource_link', uri, name: title, ...(mimeType === undefined ? {} : { mimeType }), ...size };
}

function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/**
 * Whether bytes are UTF-8 text. A NUL character makes them binary, as in other tools.
 * @param cut whether more bytes follow, so that these may end within a character
 */
function isText(bytes: Uint8Array, cut: boolean): boolean {
  try {
    // With `stream` the decoder accepts an incomplete character at the end.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut });
    return !bytes.includes(0);
  } catch {
    return false;
  }
}
