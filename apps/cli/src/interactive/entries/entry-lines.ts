import type { MessageEntry, TranscriptEntry, TurnEndEntry } from '@turnwire/client/transcript';
import { turnEndText } from '@turnwire/client/view';
import { contentText } from '../../output/content-text.ts';
import { cleanLine, cleanText } from '../../terminal/clean-text.ts';
import { plain } from '../../terminal/paint.ts';
import { cutLine, wrapText, wrapWords } from '../../terminal/text-width.ts';
import { markdownLines } from '../../output/markdown/markdown-lines.ts';
import type { Look } from './look.ts';
import { planLines } from './plan-lines.ts';
import { callLines } from './tool-call-lines.ts';

/** The most lines of a prompt that are echoed in the transcript. */
const mostPromptLines = 12;

/** An entry as lines, in its current state. Empty if there is nothing to show. */
export function entryLines(entry: TranscriptEntry, look: Look): string[] {
  switch (entry.type) {
    case 'user':
      return promptLines(entry, look);
    case 'agent':
      return markdownLines(messageText(entry), look);
    case 'thought':
      return thoughtLines(entry, look);
    case 'tool-call':
      return callLines(entry, look);
    case 'notice':
      return remarkLines(entry, look);
    case 'compaction':
      return ruleLines(`context compacted (${cleanLine(entry.status)})`, look);
    case 'boundary':
      return ruleLines(cleanLine(entry.message), look, entry.reason === 'context-lost' ? 'yellow' : 'dim');
    case 'turn-end':
      return turnEndLines(entry, look);
    case 'plan':
    case 'unknown':
      return asideLines(entry, look);
  }
}

/** Entries that are shown elsewhere, or not at all, while the turn runs. */
function asideLines(entry: Extract<TranscriptEntry, { type: 'plan' | 'unknown' }>, look: Look): string[] {
  if (!look.isExpanded) return [];
  if (entry.type === 'plan') return planLines(entry.entries, look);
  const name = cleanLine(String(entry.update.sessionUpdate));
  return [look.paint('dim', `(an update this version does not know: ${name})`)];
}

/** The user's prompt, or the beginning of it. */
function promptLines(entry: MessageEntry, look: Look): string[] {
  const lines = messageText(entry)
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapText(line, look.width - 2));
  const shown = look.isExpanded ? lines : lines.slice(0, mostPromptLines);
  const hidden = lines.length - shown.length;
  return [
    ...shown.map((line, index) =>
      `${index === 0 ? look.paint('cyan', '› ') : '  '}${look.paint('bold', line)}`.trimEnd(),
    ),
    ...(hidden > 0 ? [look.paint('dim', `  … ${hidden} more lines`)] : []),
  ];
}

/** One line, unless thoughts are shown. */
function thoughtLines(entry: MessageEntry, look: Look): string[] {
  const text = messageText(entry).trim();
  if (text === '') return [];
  if (!look.isExpanded && !look.showsThoughts) return [thoughtLine(text, look)];
  const lines = markdownLines(text, { width: look.width - 2, paint: plain });
  return lines.map((line) => look.paint('dim', `${line === '' ? '' : '  '}${line}`));
}

/** The beginning of a thought: `∴ First I look at the tests …` */
export function thoughtLine(text: string, { paint, width }: Look): string {
  const isLong = text.length > 400;
  const line = cleanLine(isLong ? text.slice(0, 400) : text).replaceAll(/[*_`#]+/g, '');
  return paint('dim', cutLine(`∴ ${line}${isLong ? ' …' : ''}`, width));
}

/** Everything of a message that can be shown as text, without control sequences. */
export function messageText({ content }: MessageEntry): string {
  return cleanText(content.map(contentText).join('\n'));
}

function remarkLines(
  { severity, title, description }: Extract<TranscriptEntry, { type: 'notice' }>,
  look: Look,
): string[] {
  const style = severity === 'error' ? 'red' : severity === 'warning' ? 'yellow' : 'dim';
  const what = cleanLine(title);
  const text = description ? `${what}${/[.!?]$/.test(what) ? '' : ':'} ${cleanLine(description)}` : what;
  return wrapWords(text, look.width - 2).map((line, index) => look.paint(style, `${index === 0 ? '! ' : '  '}${line}`));
}

function ruleLines(text: string, { paint, width }: Look, style: 'dim' | 'yellow' = 'dim'): string[] {
  const lines = wrapWords(text, Math.max(8, width - 8));
  return lines.map((line, index) => paint(style, index === 0 ? `── ${line} ──` : `   ${line}`));
}

function turnEndLines({ stopReason, error }: TurnEndEntry, { paint, width }: Look): string[] {
  if (error !== undefined) {
    return wrapWords(cleanText(error).trim(), width - 2).map((line, index) =>
      paint('red', `${index === 0 ? '✗ ' : '  '}${line}`),
    );
  }
  const text = turnEndText(stopReason);
  return text === undefined ? [] : wrapWords(`(${cleanLine(text)})`, width).map((line) => paint('yellow', line));
}
