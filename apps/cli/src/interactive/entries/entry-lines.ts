import type { TranscriptEntry } from '@turnwire/client/transcript';
import {
  type BoundaryBlock,
  type ChildBlock,
  entryBlock,
  type MessageBlock,
  messageText,
  type NoticeBlock,
  noticeText,
  type PlanBlock,
  type PromptBlock,
  type SessionMessageBlock,
  type TurnEndBlock,
  type UnknownBlock,
} from '@turnwire/client/view';
import { cleanLine, cleanText } from '../../terminal/clean-text.ts';
import { plain } from '../../terminal/paint.ts';
import { cutLine, textWidth, wrapText, wrapWords } from '../../terminal/text-width.ts';
import { markdownLines } from '../../output/markdown/markdown-lines.ts';
import type { RenderOptions } from './render-options.ts';
import { planLines } from './plan-lines.ts';
import { callLines } from './tool-call-lines.ts';

/** The maximum number of lines of a prompt in the transcript. */
const mostPromptLines = 12;

/** The maximum number of lines of a message between sessions. */
const mostMessageLines = 4;

/** An entry as lines, in its current state. Empty if there is nothing to show. */
export function entryLines(entry: TranscriptEntry, options: RenderOptions): string[] {
  const block = entryBlock(entry, options.terminals);
  switch (block.type) {
    case 'prompt':
      return promptLines(block, options);
    case 'message':
      return markdownLines(messageText(block), options);
    case 'thought':
      return thoughtLines(block, options);
    case 'call':
      return callLines(block, options);
    case 'notice':
      return noticeLines(block, options);
    case 'boundary':
      return boundaryLines(block, options);
    case 'turn-end':
      return turnEndLines(block, options);
    case 'plan':
    case 'unknown':
      return options.isExpanded ? expandedLines(block, options) : [];
    default:
      return otherSessionLines(block, options);
  }
}

function otherSessionLines(block: ChildBlock | SessionMessageBlock, options: RenderOptions): string[] {
  return block.type === 'child-session' ? childLines(block, '◇', options) : sessionMessageLines(block, options);
}

/** Entries that are shown elsewhere, or not at all, during the turn. */
function expandedLines(block: PlanBlock | UnknownBlock, options: RenderOptions): string[] {
  if (block.type === 'plan') return planLines(block, options);
  return [options.paint('dim', `(${cleanLine(block.text)})`)];
}

/** A child session: its title, its state and its last line; in full with its transcript. */
export function childLines(block: ChildBlock, mark: string, options: RenderOptions): string[] {
  const { paint, width, isExpanded } = options;
  const state = ` (${cleanLine(block.stateText)})`;
  const style = block.isFailure ? 'red' : block.isOver ? 'dim' : 'cyan';
  const head = `${paint(style, mark)} ${cutLine(cleanLine(block.title), width - 2 - textWidth(state))}${paint('dim', state)}`;
  const inside = { ...options, width: width - 4, terminals: block.transcript.terminals };
  const lines = isExpanded
    ? [
        ...wrapWords(cleanLine(block.description ?? ''), width - 4),
        ...[...block.transcript.entries].flatMap((entry) => entryLines(entry, inside)),
      ]
    : [cutLine(cleanLine(block.lastLine), width - 4)];
  return [head, ...lines.filter((line) => line !== '').map((line) => `  ${paint('dim', '│')} ${line}`)];
}

/** A message between sessions: its heading, and its first lines. */
function sessionMessageLines(block: SessionMessageBlock, options: RenderOptions): string[] {
  const { paint, width, isExpanded } = options;
  const lines = markdownLines(messageText(block).trim(), { width: width - 4, paint });
  const shown = isExpanded ? lines : lines.slice(0, mostMessageLines);
  return [
    paint('dim', cutLine(`⇄ ${cleanLine(block.heading)}`, width)),
    ...shown.map((line) => `  ${paint('dim', '│')} ${line}`.trimEnd()),
    ...(shown.length < lines.length
      ? [paint('dim', `  … ${lines.length - shown.length} more lines; Ctrl-O shows all`)]
      : []),
  ];
}

/** The user's prompt, or the beginning of it. */
function promptLines(block: PromptBlock, options: RenderOptions): string[] {
  const lines = messageText(block)
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapText(line, options.width - 2));
  const shown = options.isExpanded ? lines : lines.slice(0, mostPromptLines);
  const hidden = lines.length - shown.length;
  return [
    ...shown.map((line, index) =>
      `${index === 0 ? options.paint('cyan', '› ') : '  '}${options.paint('bold', line)}`.trimEnd(),
    ),
    ...(hidden > 0 ? [options.paint('dim', `  … ${hidden} more lines`)] : []),
  ];
}

/** A thought in one line, or in full if thoughts are shown. */
function thoughtLines(block: MessageBlock, options: RenderOptions): string[] {
  const text = messageText(block).trim();
  if (text === '') return [];
  if (!options.isExpanded && !options.showsThoughts) return [thoughtLine(text, options)];
  const lines = markdownLines(text, { width: options.width - 2, paint: plain });
  return lines.map((line) => options.paint('dim', `${line === '' ? '' : '  '}${line}`));
}

/** The beginning of a thought: `∴ First I look at the tests …` */
export function thoughtLine(text: string, { paint, width }: RenderOptions): string {
  const isLong = text.length > 400;
  const line = cleanLine(isLong ? text.slice(0, 400) : text).replaceAll(/[*_`#]+/g, '');
  return paint('dim', cutLine(`∴ ${line}${isLong ? ' …' : ''}`, width));
}

function noticeLines(block: NoticeBlock, options: RenderOptions): string[] {
  const { severity } = block;
  const style = severity === 'error' ? 'red' : severity === 'warning' ? 'yellow' : 'dim';
  return wrapWords(cleanLine(noticeText(block)), options.width - 2).map((line, index) =>
    options.paint(style, `${index === 0 ? '! ' : '  '}${line}`),
  );
}

function boundaryLines({ text, severity }: BoundaryBlock, { paint, width }: RenderOptions): string[] {
  const style = severity === 'warning' ? 'yellow' : 'dim';
  const lines = wrapWords(cleanLine(text), Math.max(8, width - 8));
  return lines.map((line, index) => paint(style, index === 0 ? `── ${line} ──` : `   ${line}`));
}

function turnEndLines({ text, isFailure }: TurnEndBlock, { paint, width }: RenderOptions): string[] {
  if (text === undefined) return [];
  if (!isFailure) return wrapWords(`(${cleanLine(text)})`, width).map((line) => paint('yellow', line));
  return wrapWords(cleanText(text).trim(), width - 2).map((line, index) =>
    paint('red', `${index === 0 ? '✗ ' : '  '}${line}`),
  );
}
