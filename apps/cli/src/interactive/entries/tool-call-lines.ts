import type { ToolCallEntry } from '@turnwire/client/transcript';
import { type CallBlock, callTime, duration, elapsed, isCallOver, shortPath } from '@turnwire/client/view';
import type { Diff } from '@turnwire/protocol';
import { cleanLine, cleanText, visibleText } from '../../terminal/clean-text.ts';
import { cutLine, textWidth, wrapExactly, wrapText, wrapWords } from '../../terminal/text-width.ts';
import { diffSizeText } from '../../terminal/diff-lines.ts';
import { diffRows } from '../../terminal/diff-rows.ts';
import type { Look } from './look.ts';
import { outputLines } from './output-lines.ts';

/** Limits in lines: of a diff, of a complete output, of a growing one, and of text. */
const most = { diff: 40, output: 10, running: 5, text: 4 };
/** The most lines that are searched for the reason of a failure. */
const mostWords = 20;
/** Shorter calls are shown without their time, in milliseconds. */
const shortest = 1_000;

/** A call in its current state, without animation. */
export function callLines(block: CallBlock, look: Look): string[] {
  return isCallOver(block.call) ? finishedCallLines(block, look) : runningCallLines(block, '→', look);
}

/** An ended call: what it was, how it ended, and the part of its result the user wants to see. */
function finishedCallLines(block: CallBlock, look: Look): string[] {
  return [
    ...headLines(block, markOf(block.call, look), look),
    ...warningLines(block.call, look),
    ...detailLines(block, most.output, look),
  ];
}

/** A running call, with its spinner and its last lines. */
export function runningCallLines(block: CallBlock, spinner: string, look: Look): string[] {
  const isWaiting = block.call.permission?.state === 'asked';
  const mark = isWaiting ? look.paint('yellow', '?') : look.paint('cyan', spinner);
  return [
    ...headLines(block, mark, look),
    ...warningLines(block.call, look),
    ...outputLines(block.output, most.running, look),
  ];
}

function headLines(block: CallBlock, mark: string, look: Look): string[] {
  const suffix = suffixOf(block, look);
  const indent = block.call.parentKey === undefined ? '' : '  ';
  const text = `${cleanLine(block.title)}${isReasonInHead(block, look) ? `: ${reasonOf(block)}` : ''}`;
  const lines = look.isExpanded ? wrapWords(text, look.width - 4) : [cutHead(block, text, look)];
  return [
    ...lines.map(
      (line, index) =>
        `${indent}${index === 0 ? `${mark} ` : '  '}${line}${index === lines.length - 1 ? look.paint('dim', suffix) : ''}`,
    ),
    ...commandLines(block, look),
  ];
}

/** What stands behind the title: what changed, how long it took, how it ended. */
function suffixOf({ call, diffs, end = '' }: CallBlock, look: Look): string {
  const facts = [diffs.map(diffSizeText).join(', '), timeOf(call, look), end].filter((fact) => fact !== '');
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
}

/** Beside the mark, the indent of a call within another one and what stands behind the title. */
function cutHead(block: CallBlock, text: string, look: Look): string {
  const indent = block.call.parentKey === undefined ? 0 : 2;
  return cutLine(text, look.width - indent - 2 - textWidth(suffixOf(block, look)));
}

function commandLines({ command }: CallBlock, look: Look): string[] {
  if (command === undefined) return [];
  const lines = visibleText(command)
    .split('\n')
    .flatMap((line) => wrapExactly(line, look.width - 4));
  const shown = look.isExpanded ? lines : lines.slice(0, 3);
  const rest = lines.length - shown.length;
  return [
    ...shown.map((line, index) => `  ${look.paint('dim', index === 0 ? '$' : ' ')} ${line}`),
    ...(rest > 0 ? [look.paint('dim', `    … ${rest} more lines`)] : []),
  ];
}

function markOf({ state }: ToolCallEntry, { paint }: Look): string {
  if (state === 'completed') return paint('green', '✓');
  if (state === 'failed') return paint('red', '✗');
  return paint('yellow', '✗');
}

function timeOf(call: ToolCallEntry, { now }: Look): string {
  const time = callTime(call, now);
  if (time === undefined || time < shortest) return '';
  return isCallOver(call) ? duration(time) : elapsed(time);
}

function warningLines({ ranUnasked }: ToolCallEntry, { paint, width }: Look): string[] {
  if (ranUnasked === undefined) return [];
  return wrapWords(cleanLine(ranUnasked), width - 4).map((line, index) =>
    paint('yellow', `  ${index === 0 ? '!' : ' '} ${line}`),
  );
}

function detailLines(block: CallBlock, outputMost: number, look: Look): string[] {
  const { call, diffs, output, texts } = block;
  const isReasonShown = isReasonInHead(block, look) || isReasonTitle(block);
  if (isReasonShown && isReasonAll(block)) return [];
  const shown = call.state === 'failed' && !look.isExpanded ? [] : diffs;
  const page = { width: look.width - 2, paint: look.paint, folder: look.folder };
  // The title of most calls says which file it is.
  const hasHead = ({ path }: Diff): boolean =>
    shown.length > 1 || !cleanLine(block.title).includes(cleanLine(shortPath(path, look.folder)));
  const rows = shown.flatMap((diff) => diffRows(diff, page, { hasHead: hasHead(diff) })).map((line) => `  ${line}`);
  const isWanted = look.isExpanded || isWorthShowing(call) || (call.state === 'failed' && !isReasonShown);
  const text = output === '' && isWanted ? textLines(texts, look) : [];
  return [...cutTo(rows, most.diff, look), ...outputLines(output, outputMost, look), ...text];
}

/** Whether the head says why the call failed: in the same line, and not if the lines below say it, too. */
function isReasonInHead(block: CallBlock, look: Look): boolean {
  const reason = reasonOf(block);
  if (block.call.state !== 'failed' || reason === '' || isReasonTitle(block)) return false;
  if (!isReasonAll(block) && block.output !== '') return false;
  const head = `${cleanLine(block.title)}: ${reason}`;
  return look.isExpanded || cutHead(block, head, look) === head;
}

/** Whether the agent has put the reason into the title. */
function isReasonTitle(block: CallBlock): boolean {
  const reason = reasonOf(block);
  return block.call.state === 'failed' && reason !== '' && `: ${cleanLine(block.title)}`.endsWith(`: ${reason}`);
}

/** Whether a failed call has nothing to show but the line with the reason. */
function isReasonAll(block: CallBlock): boolean {
  const said = [failureText(block), block.call.output ?? failureText(block)].map(wordsOf);
  return (
    block.call.content.every(({ type }) => type === 'content') &&
    said.every((lines) => lines.length === 1 && lines[0] === reasonOf(block))
  );
}

/** Content that is shown unasked: not what was read or found, which is for the agent. */
function isWorthShowing({ kind, state }: ToolCallEntry): boolean {
  return state === 'completed' && kind !== 'read' && kind !== 'search' && kind !== 'edit';
}

function textLines(texts: readonly string[], look: Look): string[] {
  const text = texts.join('\n').trim();
  if (text === '') return [];
  const lines = cleanText(text)
    .split('\n')
    .flatMap((line) => wrapText(line, look.width - 4));
  return cutTo(
    lines.map((line) => `  ${look.paint('dim', '│')} ${line}`.trimEnd()),
    most.text,
    look,
  );
}

function cutTo(lines: readonly string[], limit: number, { isExpanded, paint }: Look): string[] {
  const hidden = isExpanded ? 0 : lines.length - limit;
  // A note that takes as much space as the line it hides is useless.
  if (hidden <= 1) return [...lines];
  return [...lines.slice(0, limit), paint('dim', `  … ${hidden} more lines; Ctrl-O shows all`)];
}

/** The first line of what the agent says about a failure. */
function reasonOf(block: CallBlock): string {
  return wordsOf(failureText(block))[0] ?? '';
}

/** The lines of a text that say something. Some agents put an output into a code block. */
function wordsOf(text: string): readonly string[] {
  const lines = text.trim().split('\n', mostWords);
  return lines.map((line) => cleanLine(line)).filter((line) => line !== '' && !/^(?:`{3}|~{3})/.test(line));
}

function failureText({ call, texts }: CallBlock): string {
  return (texts[0] ?? (typeof call.rawOutput === 'string' ? call.rawOutput : '')).trim();
}
