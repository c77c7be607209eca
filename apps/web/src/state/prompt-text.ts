import type { ContentBlock } from '@turnwire/protocol';

/** The text of a prompt, without its attachments. */
export function typedIn(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** Joins prompts, each on a new line. */
export function inLines(prompts: readonly (readonly ContentBlock[])[]): readonly ContentBlock[] {
  return prompts.flatMap((content, index) => (index === 0 ? content : [{ type: 'text', text: '\n' }, ...content]));
}

/** The content as a single line. */
export function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join(' ');
}
