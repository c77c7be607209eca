import { shellLine } from './shell-line.ts';

/** Command lines that an agent runs one after the other, as one text; undefined if there are none. */
export function joinedLines(
  lines: readonly string[],
): { readonly text: string; readonly warning: string | undefined } | undefined {
  const [first, ...others] = lines;
  if (first === undefined) return undefined;
  const text = lines.join('\n');
  return {
    text,
    warning: others.length === 0 || isSame(lines, text) ? undefined : 'its commands cannot be separated',
  };
}

/** Whether joining changes no line. An open quote or here-document would swallow the commands after it. */
function isSame(lines: readonly string[], text: string): boolean {
  const apart = lines.map((line) => shellLine(line));
  const together = shellLine(text).commands.map((command) => command.typed);
  const typed = apart.flatMap(({ commands }) => commands.map((command) => command.typed));
  const isClear = apart.every(({ doubts }) => doubts.length === 0);
  return isClear && typed.length === together.length && typed.every((command, at) => command === together[at]);
}
