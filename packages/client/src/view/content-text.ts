import type { ContentBlock } from '@turnwire/protocol';
import { cleanText } from '../unseen-characters/clean-text.ts';

/** The text of a content block, or a placeholder. */
export function contentText(content: ContentBlock): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'resource_link':
      return `[${content.title ?? content.name}](${content.uri})`;
    case 'resource':
      return 'text' in content.resource ? content.resource.text : `[${content.resource.uri}]`;
    case 'image':
      return mediaText(content, content.uri ?? '');
    case 'audio':
      return mediaText(content, '');
    default:
      return `[${content.type}]`;
  }
}

/** The name of a picture or a sound, or its type, and its size: `[image: shot.png, 12 kB]`. */
function mediaText(
  { type, mimeType, data }: Extract<ContentBlock, { readonly type: 'image' | 'audio' }>,
  uri: string,
): string {
  // An agent sends both. Patterns with a repetition before the end take a time that grows with the square of the length.
  const path = uri.replace(/[?#].*/s, '');
  const name = path.slice(path.lastIndexOf('/') + 1) || mimeType;
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  const bytes = Math.floor(((data.length - padding) * 3) / 4);
  return `[${[`${type}: ${name}`, ...(bytes === 0 ? [] : [sizeText(bytes)])].join(', ')}]`;
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return bytes < 999_500 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Everything of a message that can be shown as text, without control characters. */
export function messageText({ content }: { readonly content: readonly ContentBlock[] }): string {
  return cleanText(content.map(contentText).join('\n'));
}
