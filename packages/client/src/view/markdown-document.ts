import { patchText } from '../changes/patch-text.ts';
import { cleanLine, cleanText, visibleLine, visibleText } from '../unseen-characters/clean-text.ts';
import type { CallBlock } from './call-block.ts';
import type { ChildBlock } from './child-block.ts';
import { type Block, entryBlock, type PlanBlock, type SessionMessageBlock, type TurnEndBlock } from './entry-block.ts';
import { messageText } from './content-text.ts';
import { callText, type SessionDocument } from './session-document.ts';
import { asSentence } from './turn-end-text.ts';

/** A session as Markdown. Prompts get headings, and messages of the agent stay unchanged. Removes control characters; in diffs, escapes them. */
export function markdownDocument(document: SessionDocument): string {
  return [...markdownParts(document)].join('');
}

/** The same in parts, one for each entry: a page can do other work between them. */
export function* markdownParts({ title, facts, view }: SessionDocument): Generator<string, void> {
  yield `# ${cleanLine(title)}\n`;
  const rows = Object.entries(facts).map(([name, value]) => `- ${name}: ${cleanLine(value)}\n`);
  if (rows.length > 0) yield `\n${rows.join('')}`;
  for (const entry of view.entries) {
    const text = blockText(entryBlock(entry, view.terminals));
    yield text === '' ? '' : `\n${text}\n`;
  }
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'prompt':
      return `## Prompt\n\n${quoted(messageText(block).trim())}`;
    case 'message':
      return messageText(block).trim();
    case 'thought':
      return quoted(`*${messageText(block).trim().replaceAll('*', '')}*`);
    case 'call':
      return callMarkdown(block);
    case 'plan':
      return planText(block);
    case 'notice':
      return quoted(`**${cleanLine(block.title)}**${block.description ? ` ${cleanLine(block.description)}` : ''}`);
    case 'boundary':
      return `*${cleanLine(block.text)}*`;
    case 'turn-end':
      return turnEnd(block);
    case 'unknown':
      return '';
    default:
      return otherSessionText(block);
  }
}

function otherSessionText(block: ChildBlock | SessionMessageBlock): string {
  if (block.type === 'child-session') return childText(block);
  return quoted(`**${asSentence(cleanLine(block.heading))}** ${messageText(block).trim()}`);
}

function callMarkdown(block: CallBlock): string {
  const { mark, title, end, command, changes, output } = callText(block);
  return [
    `${mark} **${title.replaceAll('*', '\\*')}**${end === undefined ? '' : ` (${end})`}`,
    ...(command === undefined ? [] : [fenced(command, 'sh')]),
    ...block.diffs.map((diff) => fenced(visibleText(patchText({ ...diff, path: visibleLine(diff.path) })), 'diff')),
    ...(changes === '' ? [] : [fenced(changes, '')]),
    ...(output === '' ? [] : [fenced(output, '')]),
  ].join('\n\n');
}

/** A child session: its title, and its transcript as a quotation. */
function childText({ title, stateText, transcript }: ChildBlock): string {
  const entries = [...transcript.entries].map((entry) => blockText(entryBlock(entry, transcript.terminals)));
  const head = `**${cleanLine(title).replaceAll('*', '\\*')}** (${cleanLine(stateText)})`;
  return [head, ...entries.filter((text) => text !== '').map(quoted)].join('\n\n');
}

function planText({ steps, text = '' }: PlanBlock): string {
  if (steps.length === 0) return cleanText(text).trim();
  return steps
    .map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${cleanLine(content)}`)
    .join('\n');
}

function turnEnd({ text, isFailure }: TurnEndBlock): string {
  if (text === undefined) return '';
  return isFailure ? quoted(`**Failed:** ${cleanText(text)}`) : `*${asSentence(cleanLine(text))}*`;
}

function quoted(text: string): string {
  return text.replaceAll(/^/gm, '> ').replaceAll(/^> $/gm, '>');
}

/** A fence that is longer than every one in the text. */
function fenced(text: string, language: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
