import type { TranscriptEntry, TranscriptView } from '@turnwire/client/transcript';
import { sessionTitle } from '../state/session-title.ts';
import type { ContentBlock } from '@turnwire/protocol';

/** A session as a file. */
export function exported(view: TranscriptView, format: 'markdown' | 'json'): File {
  const title = sessionTitle(view);
  const name =
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .slice(0, 60) || 'session';
  if (format === 'json')
    return new File([JSON.stringify({ title, entries: [...view.entries] }, null, 2)], `${name}.json`, {
      type: 'application/json',
    });
  const parts = [...view.entries].map(markdownOf).filter((part) => part !== '');
  return new File([`# ${title}\n\n${parts.join('\n\n')}\n`], `${name}.md`, { type: 'text/markdown' });
}

function markdownOf(entry: TranscriptEntry): string {
  switch (entry.type) {
    case 'user':
      return `## Prompt\n\n${textOf(entry.content)}`;
    case 'agent':
      return textOf(entry.content);
    case 'thought':
      return quoted(textOf(entry.content));
    case 'tool-call':
      return toolCall(entry);
    case 'plan':
      return entry.entries
        .map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${content}`)
        .join('\n');
    case 'notice':
      return `> **${entry.title}**`;
    case 'boundary':
      return `---\n\n${entry.message}`;
    case 'turn-end':
      return entry.error === undefined ? '' : `> **The turn failed:** ${entry.error}`;
    default:
      return '';
  }
}

function toolCall({
  title,
  state,
  command,
  output,
  content,
}: TranscriptEntry & { readonly type: 'tool-call' }): string {
  const diffs = content.flatMap((each) => (each.type === 'diff' ? [`\`${String(each['path'])}\` was changed.`] : []));
  const texts = [command, output].filter((text) => text !== undefined && text !== '').join('\n');
  return [`**${title}** (${state})`, ...diffs, ...(texts === '' ? [] : [fenced(texts)])].join('\n\n');
}

function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n\n');
}

function quoted(text: string): string {
  return text.replaceAll(/^/gm, '> ');
}

/** A fence is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}
