import type { ContentBlock } from '@turnwire/protocol';

const longest = 60;

/** A title for a session: the first line of its first prompt, cut at a word. Undefined if it has no words. */
export function sessionTitle(prompt: string): string | undefined {
  const [line = ''] = prompt.trim().split('\n', 1);
  const words = line.trim().replaceAll(/\s+/g, ' ');
  if (words.length <= longest) return words === '' ? undefined : words;
  const cut = words.lastIndexOf(' ', longest);
  return `${words.slice(0, cut > longest / 2 ? cut : longest)}…`;
}

/** A name for a session that begins with a prompt without words. */
export function attachmentTitle(prompt: readonly ContentBlock[]): string {
  const uri = prompt
    .map((block) => (block.type === 'resource_link' ? block.uri : block.type === 'resource' ? block.resource.uri : ''))
    .find(Boolean);
  return (
    (uri && sessionTitle(uri.slice(uri.lastIndexOf('/') + 1))) ??
    (prompt.some(({ type }) => type === 'image') ? 'An image' : 'Attachments')
  );
}
