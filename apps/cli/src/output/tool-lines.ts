import { callBlock } from '@turnwire/client/view';
import { cleanLine } from '../terminal/clean-text.ts';
import { diffLines, diffSizeText } from '../terminal/diff-lines.ts';
import type { Paint } from '../terminal/paint.ts';
import type { ToolCallView } from './tool-calls.ts';

const noTerminals = new Map<string, never>();

/** The maximum number of diff lines below a finished edit. */
const mostDiffLines = 60;

/** `→ Search for TODO` */
export function startedLine({ title }: ToolCallView, paint: Paint): string {
  return `${paint('cyan', '→')} ${cleanLine(title)}`;
}

/** `✓ Edit notes.txt (+1 −1)`, or `✗ Edit notes.txt: the reason` */
export function finishedLine(call: ToolCallView, paint: Paint): string {
  const title = cleanLine(call.title);
  if (call.state === 'cancelled') return `${paint('yellow', '✗')} ${title} (cancelled)`;
  if (call.state === 'failed') return `${paint('red', '✗')} ${title}${reason(call)}`;
  const sizes = callBlock(call, noTerminals).diffs.map(diffSizeText).join(', ');
  return `${paint('green', '✓')} ${title}${sizes && paint('dim', ` (${sizes})`)}`;
}

/** `✗ Run the tests (not finished)` */
export function unfinishedLine({ title }: ToolCallView, paint: Paint): string {
  return `${paint('yellow', '✗')} ${cleanLine(title)} (not finished)`;
}

/** The diffs of a call, cut to a maximum number of lines. */
export function diffBlock(call: ToolCallView, paint: Paint): string[] {
  const { changes, diffs } = callBlock(call, noTerminals);
  const lines = [...changes.map(cleanLine), ...diffs.flatMap((diff) => diffLines(diff, paint))];
  const hidden = lines.length - mostDiffLines;
  const shown = hidden > 0 ? [...lines.slice(0, mostDiffLines), paint('dim', `… ${hidden} more lines`)] : lines;
  return shown.map((line) => `  ${line}`);
}

function reason(call: ToolCallView): string {
  const lines =
    callBlock(call, noTerminals)
      .texts[0]?.split('\n')
      .map((line) => cleanLine(line)) ?? [];
  // Some agents put the output into a code block.
  const first = lines.find((line) => line !== '' && !/^(?:`{3}|~{3})/.test(line));
  if (first !== undefined) return `: ${first}`;
  return typeof call.exitCode === 'number' ? `: exit code ${call.exitCode}` : '';
}
