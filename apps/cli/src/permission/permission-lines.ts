import type { ToolCallView } from '../output/tool-calls.ts';
import { diffsOf, textsOf } from '../output/tool-lines.ts';
import { visibleText } from '../terminal/clean-text.ts';
import { diffLines } from '../terminal/diff-lines.ts';
import type { Paint } from '../terminal/paint.ts';

/** What a tool call would do, in full: the exact command, the whole diff. What would steer the terminal is spelled out. */
export function permissionLines(call: ToolCallView, paint: Paint): string[] {
  const title = `${paint('yellow', '?')} ${paint('bold', visibleText(call.title).replace(/\s+/g, ' '))}`;
  return [title, ...detail(call, paint).map((line) => `  ${line}`)];
}

function detail(call: ToolCallView, paint: Paint): string[] {
  const command = commandOf(call.rawInput);
  const diffs = diffsOf(call).flatMap((diff) => diffLines(diff, paint));
  if (command !== undefined) return [...visibleLines(`$ ${command}`), ...diffs];
  if (diffs.length > 0) return diffs;
  const texts = textsOf(call).flatMap(visibleLines);
  return texts.length > 0 || call.rawInput === undefined
    ? texts
    : visibleLines(JSON.stringify(call.rawInput, undefined, 1));
}

/** Agents put the command they want to run into `rawInput.command`, as a line or as words. */
function commandOf(rawInput: unknown): string | undefined {
  const command =
    typeof rawInput === 'object' && rawInput !== null && 'command' in rawInput ? rawInput.command : undefined;
  if (typeof command === 'string') return command;
  if (!Array.isArray(command)) return undefined;
  return command
    .map((word) => (typeof word === 'string' && /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}

function visibleLines(text: string): string[] {
  return visibleText(text).split('\n');
}
