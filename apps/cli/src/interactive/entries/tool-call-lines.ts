import type { ToolCallEntry } from '@turnwire/client/transcript';
import { type CallBlock, callTime, duration, elapsed, isCallOver, shortPath } from '@turnwire/client/view';
import type { Diff } from '@turnwire/protocol';
import { cleanLine, cleanText, visibleText } from '../../terminal/clean-text.ts';
import { cutLine, textWidth, wrapExactly, wrapText, wrapWords } from '../../terminal/text-width.ts';
import { diffSizeText } from '../../terminal/diff-lines.ts';
import { diffRows } from '../../terminal/diff-rows.ts';
import type { RenderOptions } from './render-options.ts';
import { outputLines } from './output-lines.ts';

/** The maximum number of lines of a diff, a complete output, a growing output, and a text. */
const most = { diff: 40, output: 10, running: 5, text: 4 };
/** The maximum number of lines to search for the reason of a failure. */
const mostWords = 20;
/** The minimum duration of a call that is shown with its time, in milliseconds. */
const shortest = 1_000;

/** A call in its current state, without animation. */
export function callLines(block: CallBlock, options: RenderOptions): string[] {
  return isCallOver(block.call) ? finishedCallLines(block, options) : runningCallLines(block, '→', options);
}

/** A finished call: its title, its outcome, and the relevant part of its result. */
function finishedCallLines(block: CallBlock, options: RenderOptions): string[] {
  return [
    ...headLines(block, markOf(block.call, options), options),
    ...warningLines(block.call, options),
    ...detailLines(block, most.output, options),
  ];
}

/** A running call, with its spinner and its last lines. */
export function runningCallLines(block: CallBlock, spinner: string, options: RenderOptions): string[] {
  const isWaiting = block.call.permission?.state === 'asked';
  const mark = isWaiting ? options.paint('yellow', '?') : options.paint('cyan', spinner);
  return [
    ...headLines(block, mark, options),
    ...warningLines(block.call, options),
    ...outputLines(block.output, most.running, options),
  ];
}

function headLines(block: CallBlock, mark: string, options: RenderOptions): string[] {
  const suffix = suffixOf(block, options);
  const indent = block.call.parentKey === undefined ? '' : '  ';
  const text = `${cleanLine(block.title)}${isReasonInHead(block, options) ? `: ${reasonOf(block)}` : ''}`;
  const lines = options.isExpanded ? wrapWords(text, options.width - 4) : [cutHead(block, text, options)];
  return [
    ...lines.map(
      (line, index) =>
        `${indent}${index === 0 ? `${mark} ` : '  '}${line}${index === lines.length - 1 ? options.paint('dim', suffix) : ''}`,
    ),
    ...commandLines(block, options),
  ];
}

/** The suffix of the title: the size of the changes, the duration and the outcome. */
function suffixOf({ call, diffs, end = '' }: CallBlock, options: RenderOptions): string {
  const facts = [diffs.map(diffSizeText).join(', '), timeOf(call, options), end].filter((fact) => fact !== '');
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
}

/** The title, cut to the width that the mark, the indent of a nested call and the suffix leave. */
function cutHead(block: CallBlock, text: string, options: RenderOptions): string {
  const indent = block.call.parentKey === undefined ? 0 : 2;
  return cutLine(text, options.width - indent - 2 - textWidth(suffixOf(block, options)));
}

function commandLines({ command }: CallBlock, options: RenderOptions): string[] {
  if (command === undefined) return [];
  const lines = visibleText(command)
    .split('\n')
    .flatMap((line) => wrapExactly(line, options.width - 4));
  const shown = options.isExpanded ? lines : lines.slice(0, 3);
  const rest = lines.length - shown.length;
  return [
    ...shown.map((line, index) => `  ${options.paint('dim', index === 0 ? '$' : ' ')} ${line}`),
    ...(rest > 0 ? [options.paint('dim', `    … ${rest} more lines`)] : []),
  ];
}

function markOf({ state }: ToolCallEntry, { paint }: RenderOptions): string {
  if (state === 'completed') return paint('green', '✓');
  if (state === 'failed') return paint('red', '✗');
  return paint('yellow', '✗');
}

function timeOf(call: ToolCallEntry, { now }: RenderOptions): string {
  const time = callTime(call, now);
  if (time === undefined || time < shortest) return '';
  return isCallOver(call) ? duration(time) : elapsed(time);
}

function warningLines({ ranUnasked }: ToolCallEntry, { paint, width }: RenderOptions): string[] {
  if (ranUnasked === undefined) return [];
  return wrapWords(cleanLine(ranUnasked), width - 4).map((line, index) =>
    paint('yellow', `  ${index === 0 ? '!' : ' '} ${line}`),
  );
}

function detailLines(block: CallBlock, outputMost: number, options: RenderOptions): string[] {
  const { call, diffs, changes, output, texts } = block;
  const isReasonShown = isReasonInHead(block, options) || isReasonTitle(block);
  if (isReasonShown && isReasonAll(block)) return [];
  const shown = call.state === 'failed' && !options.isExpanded ? [] : diffs;
  const page = { width: options.width - 2, paint: options.paint, folder: options.folder };
  // Most titles name the file.
  const hasHead = ({ path }: Diff): boolean =>
    shown.length > 1 || !cleanLine(block.title).includes(cleanLine(shortPath(path, options.folder)));
  const rows = shown.flatMap((diff) => diffRows(diff, page, { hasHead: hasHead(diff) })).map((line) => `  ${line}`);
  const isWanted = options.isExpanded || isWorthShowing(call) || (call.state === 'failed' && !isReasonShown);
  const text = output === '' && isWanted ? textLines(texts, options) : [];
  const files = changes
    .flatMap((change) => wrapText(visibleText(change), options.width - 4))
    .map((line) => `  ${line}`);
  return [...cutTo([...files, ...rows], most.diff, options), ...outputLines(output, outputMost, options), ...text];
}

/** Whether the head shows why the call failed: only if the reason fits on its line, and the lines below do not repeat it. */
function isReasonInHead(block: CallBlock, options: RenderOptions): boolean {
  const reason = reasonOf(block);
  if (block.call.state !== 'failed' || reason === '' || isReasonTitle(block)) return false;
  if (!isReasonAll(block) && block.output !== '') return false;
  const head = `${cleanLine(block.title)}: ${reason}`;
  return options.isExpanded || cutHead(block, head, options) === head;
}

/** Whether the title contains the reason. */
function isReasonTitle(block: CallBlock): boolean {
  const reason = reasonOf(block);
  return block.call.state === 'failed' && reason !== '' && `: ${cleanLine(block.title)}`.endsWith(`: ${reason}`);
}

/** Whether the reason is the whole content of a failed call. */
function isReasonAll(block: CallBlock): boolean {
  const said = [failureText(block), block.call.output ?? failureText(block)].map(wordsOf);
  return (
    block.call.content.every(({ type }) => type === 'content') &&
    said.every((lines) => lines.length === 1 && lines[0] === reasonOf(block))
  );
}

/** Whether to show the content of a call by default. Results of reads and searches are for the agent. */
function isWorthShowing({ kind, state }: ToolCallEntry): boolean {
  return state === 'completed' && kind !== 'read' && kind !== 'search' && kind !== 'edit';
}

function textLines(texts: readonly string[], options: RenderOptions): string[] {
  const text = texts.join('\n').trim();
  if (text === '') return [];
  const lines = cleanText(text)
    .split('\n')
    .flatMap((line) => wrapText(line, options.width - 4));
  return cutTo(
    lines.map((line) => `  ${options.paint('dim', '│')} ${line}`.trimEnd()),
    most.text,
    options,
  );
}

function cutTo(lines: readonly string[], limit: number, { isExpanded, paint }: RenderOptions): string[] {
  const hidden = isExpanded ? 0 : lines.length - limit;
  // A note that takes as much space as the hidden line is useless.
  if (hidden <= 1) return [...lines];
  return [...lines.slice(0, limit), paint('dim', `  … ${hidden} more lines; Ctrl-O shows all`)];
}

/** The first line of the agent's text about a failure. */
function reasonOf(block: CallBlock): string {
  return wordsOf(failureText(block))[0] ?? '';
}

/** The lines of a text without empty lines and code fences. Some agents put an output into a code block. */
function wordsOf(text: string): readonly string[] {
  const lines = text.trim().split('\n', mostWords);
  return lines.map((line) => cleanLine(line)).filter((line) => line !== '' && !/^(?:`{3}|~{3})/.test(line));
}

function failureText({ call, texts }: CallBlock): string {
  return (texts[0] ?? (typeof call.rawOutput === 'string' ? call.rawOutput : '')).trim();
}
