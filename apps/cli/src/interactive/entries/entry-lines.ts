import type { TranscriptEntry } from '@turnwire/client/transcript';
import {
  type BoundaryBlock,
  entryBlock,
  type MessageBlock,
  messageText,
  type NoticeBlock,
  noticeText,
  type PlanBlock,
  type PromptBlock,
  type TurnEndBlock,
  type UnknownBlock,
} from '@turnwire/client/view';
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
  const block = entryBlock(entry, look.terminals);
  switch (block.type) {
    case 'prompt':
      return promptLines(block, look);
    case 'message':
      return markdownLines(messageText(block), look);
    case 'thought':
      return thoughtLines(block, look);
    case 'call':
      return callLines(block, look);
    case 'notice':
      return noticeLines(block, look);
    case 'boundary':
      return boundaryLines(block, look);
    case 'turn-end':
      return turnEndLines(block, look);
    case 'plan':
    case 'unknown':
      return look.isExpanded ? expandedLines(block, look) : [];
  }
}

/** Entries that are shown elsewhere, or not at all, while the turn runs. */
function expandedLines(block: PlanBlock | UnknownBlock, look: Look): string[] {
  if (block.type === 'plan') return planLines(block.steps, look);
  return [look.paint('dim', `(${cleanLine(block.text)})`)];
}

/** The user's prompt, or the beginning of it. */
function promptLines(block: PromptBlock, look: Look): string[] {
  const lines = messageText(block)
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
function thoughtLines(block: MessageBlock, look: Look): string[] {
  const text = messageText(block).trim();
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

function noticeLines(block: NoticeBlock, look: Look): string[] {
  const { severity } = block;
  const style = severity === 'error' ? 'red' : severity === 'warning' ? 'yellow' : 'dim';
  return wrapWords(cleanLine(noticeText(block)), look.width - 2).map((line, index) =>
    look.paint(style, `${index === 0 ? '! ' : '  '}${line}`),
  );
}

function boundaryLines({ text, severity }: BoundaryBlock, { paint, width }: Look): string[] {
  const style = severity === 'warning' ? 'yellow' : 'dim';
  const lines = wrapWords(cleanLine(text), Math.max(8, width - 8));
  return lines.map((line, index) => paint(style, index === 0 ? `── ${line} ──` : `   ${line}`));
}

function turnEndLines({ text, isFailure }: TurnEndBlock, { paint, width }: Look): string[] {
  if (text === undefined) return [];
  if (!isFailure) return wrapWords(`(${cleanLine(text)})`, width).map((line) => paint('yellow', line));
  return wrapWords(cleanText(text).trim(), width - 2).map((line, index) =>
    paint('red', `${index === 0 ? '✗ ' : '  '}${line}`),
  );
}
