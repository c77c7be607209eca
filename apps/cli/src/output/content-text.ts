import type { ContentBlock } from '@turnwire/protocol';

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
