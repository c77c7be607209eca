import type { Command } from 'commander';

/** The maximum width of prose, in characters. */
const widest = 110;

/** The minimum width of the second column of an example. If less is left, the column wraps below the first one. */
const leastColumn = 24;

/** A text after the help of a command: paragraphs and examples, wrapped at words to the width of the terminal. */
export function footer(text: string): (context: { readonly command: Command }) => string {
  return ({ command }) => {
    const helper = Object.assign(command.createHelp(), { minWidthToWrap: leastColumn });
    const width = Math.min(widest, command.configureOutput().getOutHelpWidth?.() || 80);
    const wrap = (words: string, columns: number): readonly string[] => helper.boxWrap(words, columns).split('\n');
    // Lines that are not indented are one paragraph.
    const blocks = text
      .trimEnd()
      .replaceAll(/(?<=[^\s:])\n(?=\S)/g, ' ')
      .split('\n');
    return `${blocks.flatMap((line) => wrapped(line, width, wrap)).join('\n')}\n`;
  };
}

function wrapped(
  line: string,
  width: number,
  wrap: (words: string, columns: number) => readonly string[],
): readonly string[] {
  if (line.length <= width) return [line];
  if (!line.startsWith(' ')) return wrap(line, width);
  const [, first = ''] = /^( +\S.*? {2,})\S/.exec(line) ?? [];
  const left = width - first.length;
  const longest = Math.max(
    ...line
      .slice(first.length)
      .split(' ')
      .map((word) => word.length),
  );
  const isColumn = first !== '' && left >= Math.max(leastColumn, longest);
  const indent = ' '.repeat(isColumn ? first.length : 4);
  const words = line.slice(isColumn ? first.length : 2);
  const lines = wrap(words, width - indent.length);
  return lines.map((each, index) => (index > 0 ? indent : isColumn ? first : '  ') + each);
}
