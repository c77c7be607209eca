import type { Diff } from '@turnwire/protocol';
import { cleanLine } from '../terminal/clean-text.ts';
import { diffLines, diffSizeText } from '../terminal/diff-lines.ts';
import type { Paint } from '../terminal/paint.ts';
import { contentText } from './content-text.ts';
import type { ToolCallView } from './tool-calls.ts';

/** Diff lines shown below a finished edit. */
const mostDiffLines = 60;

/** `→ Search for TODO` */
export function startedLine({ title }: ToolCallView, paint: Paint): string {
  return `${paint('cyan', '→')} ${cleanLine(title)}`;
}

/** `✓ Edit notes.txt (+1 −1)`, or `✗ Edit notes.txt: the reason` */
export function finishedLine(call: ToolCallView, paint: Paint): string {
  const title = cleanLine(call.title);
  if (call.state === 'failed') return `${paint('red', '✗')} ${title}${reason(call)}`;
  const sizes = diffsOf(call).map(diffSizeText).join(', ');
  return `${paint('green', '✓')} ${title}${sizes && paint('dim', ` (${sizes})`)}`;
}

/** `✗ Run the tests (not finished)` */
export function unfinishedLine({ title }: ToolCallView, paint: Paint): string {
  return `${paint('yellow', '✗')} ${cleanLine(title)} (not finished)`;
}

/** The diffs of a call, cut if they would fill the screen. */
export function diffBlock(call: ToolCallView, paint: Paint): string[] {
  const lines = diffsOf(call).flatMap((diff) => diffLines(diff, paint));
  const hidden = lines.length - mostDiffLines;
  const shown = hidden > 0 ? [...lines.slice(0, mostDiffLines), paint('dim', `… ${hidden} more lines`)] : lines;
  return shown.map((line) => `  ${line}`);
}

/** The diffs among a call's content. */
function diffsOf({ content }: ToolCallView): Diff[] {
  return content.filter((item): item is Extract<typeof item, { readonly type: 'diff' }> => item.type === 'diff');
}

/** The text among a call's content. */
function textsOf({ content }: ToolCallView): string[] {
  return content.flatMap((item) => (item.type === 'content' && 'content' in item ? [contentText(item.content)] : []));
}

function reason(call: ToolCallView): string {
  const lines =
    textsOf(call)[0]
      ?.split('\n')
      .map((line) => cleanLine(line)) ?? [];
  // Some agents put the output into a code block.
  const first = lines.find((line) => line !== '' && !/^(?:`{3}|~{3})/.test(line));
  if (first !== undefined) return `: ${first}`;
  return typeof call.exitCode === 'number' ? `: exit code ${call.exitCode}` : '';
}
