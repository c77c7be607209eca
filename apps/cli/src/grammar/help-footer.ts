import type { Command } from 'commander';

/** The widest that prose is printed, in characters. */
const widest = 110;

/** Least room for the second column of an example; with less it is wrapped below the first. */
const leastColumn = 24;

/** A text behind the help of a command: paragraphs and examples, wrapped at words to the width of the terminal. */
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
  const room = width - first.length;
  const longest = Math.max(
    ...line
      .slice(first.length)
      .split(' ')
      .map((word) => word.length),
  );
  const isColumn = first !== '' && room >= Math.max(leastColumn, longest);
  const indent = ' '.repeat(isColumn ? first.length : 4);
  const words = line.slice(isColumn ? first.length : 2);
  const lines = wrap(words, width - indent.length);
  return lines.map((each, index) => (index > 0 ? indent : isColumn ? first : '  ') + each);
}
