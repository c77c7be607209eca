import type { ToolCallEntry } from '@turnwire/client/transcript';
import { callTime, duration, elapsed, isCallOver, shortPath } from '@turnwire/client/view';
import type { Diff } from '@turnwire/protocol';
import { contentText } from '../../output/content-text.ts';
import { cleanLine, cleanText } from '../../terminal/clean-text.ts';
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
export function callLines(call: ToolCallEntry, look: Look): string[] {
  return isCallOver(call) ? finishedCallLines(call, look) : runningCallLines(call, '→', look);
}

/** An ended call: what it was, how it ended, and the part of its result the user wants to see. */
function finishedCallLines(call: ToolCallEntry, look: Look): string[] {
  return [
    ...headLines(call, markOf(call, look), look),
    ...warningLines(call, look),
    ...detailLines(call, most.output, look),
  ];
}

/** A running call, with its spinner and its last lines. */
export function runningCallLines(call: ToolCallEntry, spinner: string, look: Look): string[] {
  const isWaiting = call.permission?.state === 'asked';
  const mark = isWaiting ? look.paint('yellow', '?') : look.paint('cyan', spinner);
  return [
    ...headLines(call, mark, look),
    ...warningLines(call, look),
    ...outputLines(outputOf(call, look), most.running, look),
  ];
}

function headLines(call: ToolCallEntry, mark: string, look: Look): string[] {
  const suffix = suffixOf(call, look);
  const indent = call.parentKey === undefined ? '' : '  ';
  const title = titleOf(call);
  const text = `${title}${isReasonInHead(call, look) ? `: ${reasonOf(call)}` : ''}`;
  const lines = look.isExpanded ? wrapWords(text, look.width - 4) : [cutHead(call, text, look)];
  const command = commandLines(call, title, look);
  return [
    ...lines.map(
      (line, index) =>
        `${indent}${index === 0 ? `${mark} ` : '  '}${line}${index === lines.length - 1 ? look.paint('dim', suffix) : ''}`,
    ),
    ...command,
  ];
}

/** What stands behind the title: what changed, how long it took, how it ended. */
function suffixOf(call: ToolCallEntry, look: Look): string {
  const facts = [diffsOf(call).map(diffSizeText).join(', '), timeOf(call, look), endOf(call)].filter(
    (fact) => fact !== '',
  );
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
}

/** Beside the mark, the indent of a call within another one and what stands behind the title. */
function cutHead(call: ToolCallEntry, text: string, look: Look): string {
  const indent = call.parentKey === undefined ? 0 : 2;
  return cutLine(text, look.width - indent - 2 - textWidth(suffixOf(call, look)));
}

/** The command, if the title does not contain it. */
function commandLines({ command }: ToolCallEntry, title: string, look: Look): string[] {
  if (command === undefined || title.includes(cleanLine(command))) return [];
  const lines = cleanText(command)
    .split('\n')
    .flatMap((line) => wrapExactly(line, look.width - 4));
  const shown = look.isExpanded ? lines : lines.slice(0, 3);
  const rest = lines.length - shown.length;
  return [
    ...shown.map((line, index) => `  ${look.paint('dim', index === 0 ? '$' : ' ')} ${line}`),
    ...(rest > 0 ? [look.paint('dim', `    … ${rest} more lines`)] : []),
  ];
}

function titleOf({ title, toolCallId }: ToolCallEntry): string {
  return cleanLine(title) || cleanLine(toolCallId);
}

function markOf({ state }: ToolCallEntry, { paint }: Look): string {
  if (state === 'completed') return paint('green', '✓');
  if (state === 'failed') return paint('red', '✗');
  return paint('yellow', '✗');
}

/** How the call ended, if the mark does not show it. */
function endOf({ state, exitCode }: ToolCallEntry): string {
  if (state === 'cancelled') return 'cancelled';
  if (state === 'abandoned') return 'not finished';
  return typeof exitCode === 'number' && exitCode !== 0 ? `exit code ${exitCode}` : '';
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

function detailLines(call: ToolCallEntry, outputMost: number, look: Look): string[] {
  const isReasonShown = isReasonInHead(call, look) || isReasonTitle(call);
  if (isReasonShown && isReasonAll(call)) return [];
  const diffs = call.state === 'failed' && !look.isExpanded ? [] : diffsOf(call);
  const page = { width: look.width - 2, paint: look.paint, folder: look.folder };
  // The title of most calls says which file it is.
  const hasHead = ({ path }: Diff): boolean =>
    diffs.length > 1 || !titleOf(call).includes(cleanLine(shortPath(path, look.folder)));
  const rows = diffs.flatMap((diff) => diffRows(diff, page, { hasHead: hasHead(diff) })).map((line) => `  ${line}`);
  const output = outputOf(call, look);
  const isWanted = look.isExpanded || isWorthShowing(call) || (call.state === 'failed' && !isReasonShown);
  const texts = output === '' && isWanted ? textLines(call, look) : [];
  return [...cutTo(rows, most.diff, look), ...outputLines(output, outputMost, look), ...texts];
}

/** Whether the head says why the call failed: in the same line, and not if the lines below say it, too. */
function isReasonInHead(call: ToolCallEntry, look: Look): boolean {
  const reason = reasonOf(call);
  if (call.state !== 'failed' || reason === '' || isReasonTitle(call)) return false;
  if (!isReasonAll(call) && outputOf(call, look) !== '') return false;
  const head = `${titleOf(call)}: ${reason}`;
  return look.isExpanded || cutHead(call, head, look) === head;
}

/** Whether the agent has put the reason into the title. */
function isReasonTitle(call: ToolCallEntry): boolean {
  const reason = reasonOf(call);
  return call.state === 'failed' && reason !== '' && `: ${titleOf(call)}`.endsWith(`: ${reason}`);
}

/** Whether a failed call has nothing to show but the line with the reason. */
function isReasonAll(call: ToolCallEntry): boolean {
  const said = [failureText(call), call.output ?? failureText(call)].map(wordsOf);
  return (
    call.content.every(({ type }) => type === 'content') &&
    said.every((lines) => lines.length === 1 && lines[0] === reasonOf(call))
  );
}

/** Content that is shown unasked: not what was read or found, which is for the agent. */
function isWorthShowing({ kind, state }: ToolCallEntry): boolean {
  return state === 'completed' && kind !== 'read' && kind !== 'search' && kind !== 'edit';
}

function textLines(call: ToolCallEntry, look: Look): string[] {
  const text = textsOf(call).join('\n').trim();
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

/** The output of a call: from a terminal of ours, or as the agent reported it. */
function outputOf(call: ToolCallEntry, { terminals }: Look): string {
  const shown = call.content.flatMap((item) =>
    item.type === 'terminal' && 'terminalId' in item ? [terminals.get(String(item.terminalId))?.output ?? ''] : [],
  );
  if (shown.length > 0) return shown.join('\n');
  return call.output ?? '';
}

/** The first line of what the agent says about a failure. */
function reasonOf(call: ToolCallEntry): string {
  return wordsOf(failureText(call))[0] ?? '';
}

/** The lines of a text that say something. Some agents put an output into a code block. */
function wordsOf(text: string): readonly string[] {
  const lines = text.trim().split('\n', mostWords);
  return lines.map((line) => cleanLine(line)).filter((line) => line !== '' && !/^(?:`{3}|~{3})/.test(line));
}

function failureText(call: ToolCallEntry): string {
  return (textsOf(call)[0] ?? (typeof call.rawOutput === 'string' ? call.rawOutput : '')).trim();
}

/** The diffs among a call's content. */
function diffsOf({ content }: Pick<ToolCallEntry, 'content'>): Diff[] {
  return content.filter((item): item is Extract<typeof item, { readonly type: 'diff' }> => item.type === 'diff');
}

function textsOf({ content }: ToolCallEntry): string[] {
  return content.flatMap((item) => (item.type === 'content' && 'content' in item ? [contentText(item.content)] : []));
}
