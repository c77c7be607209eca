import type { TranscriptEntry, TranscriptView } from '@turnwire/client/transcript';
import { patchText } from '@turnwire/client/changes';
import type { ContentBlock } from '@turnwire/protocol';
import { sessionTitle } from '../state/session-title.ts';

/** How long the page is busy with an export before it does something else, in milliseconds. */
const longestTask = 20;

/** A session as a file. It is written in many short tasks, so that the page stays usable. */
export async function exported(view: TranscriptView, format: 'markdown' | 'json'): Promise<File> {
  const title = sessionTitle(view);
  const name =
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .slice(0, 60) || 'session';
  if (format === 'json') {
    const entries = await inTasks(view.entries, (entry) => JSON.stringify(entry));
    const text = `{\n"title": ${JSON.stringify(title)},\n"entries": [\n${entries.join(',\n')}\n]\n}\n`;
    return new File([text], `${name}.json`, { type: 'application/json' });
  }
  const parts = await inTasks(view.entries, markdownOf);
  const text = parts.filter((part) => part !== '').map((part) => `\n${part}\n`);
  return new File([`# ${title}\n`, ...text], `${name}.md`, { type: 'text/markdown' });
}

async function inTasks(
  entries: Iterable<TranscriptEntry>,
  textOfEntry: (entry: TranscriptEntry) => string,
): Promise<readonly string[]> {
  const texts: string[] = [];
  let began = performance.now();
  for (const entry of entries) {
    texts.push(textOfEntry(entry));
    if (performance.now() - began < longestTask) continue;
    await new Promise((resolve) => setTimeout(resolve));
    began = performance.now();
  }
  return texts;
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
  const diffs = content.flatMap((each) => (each.type === 'diff' ? [fenced(patchText(each), 'diff')] : []));
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
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}
