import type { PlanEntry } from '@turnwire/protocol';
import type { TranscriptEntry, TranscriptView } from '@turnwire/client/transcript';
import { cleanLine, cleanText } from '../../terminal/clean-text.ts';
import { diffLines } from '../../terminal/diff-lines.ts';
import { plain } from '../../terminal/paint.ts';
import { type CallFacts, callFacts, messageText } from './entry-facts.ts';
import type { SessionDocument } from './session-document.ts';

/** A session as Markdown: prompts are headings, what the agent wrote stays as it is. */
export function markdownDocument({ title, facts, view }: SessionDocument): string {
  const rows = Object.entries(facts).map(([name, value]) => `- ${name}: ${cleanLine(value)}`);
  const parts = [...view.entries].map((entry) => entryText(entry, view)).filter((part) => part !== '');
  return `${[`# ${cleanLine(title)}`, rows.join('\n'), ...parts].filter((part) => part !== '').join('\n\n')}\n`;
}

function entryText(entry: TranscriptEntry, view: TranscriptView): string {
  switch (entry.type) {
    case 'user':
      return `## Prompt\n\n${quoted(messageText(entry))}`;
    case 'agent':
      return messageText(entry);
    case 'thought':
      return quoted(`*${messageText(entry).replaceAll('*', '')}*`);
    case 'tool-call':
      return callText(callFacts(entry, view.terminals));
    case 'plan':
      return entry.entries.map(planLine).join('\n');
    case 'notice':
      return quoted(`**${cleanLine(entry.title)}**${entry.description ? ` ${cleanLine(entry.description)}` : ''}`);
    case 'boundary':
      return `*${cleanLine(entry.message)}*`;
    case 'turn-end':
      return turnEnd(entry);
    default:
      return '';
  }
}

function callText({ mark, title, command, end, diffs, output }: CallFacts): string {
  const head = `${mark} **${title.replaceAll('*', '\\*')}**${end === undefined ? '' : ` (${end})`}`;
  return [
    head,
    ...(command === undefined ? [] : [fenced(command, 'sh')]),
    ...diffs.map((diff) => fenced(diffLines(diff, plain).join('\n'), 'diff')),
    ...(output === '' ? [] : [fenced(output, '')]),
  ].join('\n\n');
}

function planLine({ content, status }: PlanEntry): string {
  return `- [${status === 'completed' ? 'x' : ' '}] ${cleanLine(content)}`;
}

function turnEnd({ error, stopReason }: TranscriptEntry & { readonly type: 'turn-end' }): string {
  if (error !== undefined) return quoted(`**Failed:** ${cleanText(error)}`);
  return stopReason === 'end_turn' || stopReason === undefined ? '' : `*Ended: ${cleanLine(stopReason)}*`;
}

function quoted(text: string): string {
  return text.replaceAll(/^/gm, '> ').replaceAll(/^> $/gm, '>');
}

/** A fence that is longer than every one in the text. */
function fenced(text: string, language: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
