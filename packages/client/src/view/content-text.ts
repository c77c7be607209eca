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
    case 'audio':
      return `[${content.type}: ${content.mimeType}]`;
    default:
      return `[${content.type}]`;
  }
}

/** Everything of a message that can be shown as text, without control characters. */
export function messageText({ content }: { readonly content: readonly ContentBlock[] }): string {
  return cleanText(content.map(contentText).join('\n'));
}
