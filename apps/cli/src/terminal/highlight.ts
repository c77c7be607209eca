import { common, createLowlight } from 'lowlight';
import type { Style, StyledText } from './paint.ts';

const lowlight = createLowlight(common);

interface Node {
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly Node[];
}

/** The colours of code. They exclude those of added and removed lines, and those that are hard to read on a light background. */
const styles: Readonly<Record<string, Style | undefined>> = {
  keyword: 'magenta',
  'selector-tag': 'magenta',
  string: 'cyan',
  regexp: 'cyan',
  number: 'cyan',
  literal: 'cyan',
  symbol: 'cyan',
  comment: 'dim',
  quote: 'dim',
  meta: 'dim',
  title: 'blue',
  section: 'blue',
  name: 'blue',
  type: 'blue',
  built_in: 'blue',
};

/** The lines of a text with the styles of their parts; undefined for an unknown language. */
export function highlightedLines(code: string, language: string): readonly (readonly StyledText[])[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  const lines: StyledText[][] = [[]];
  const add = ({ value, properties, children = [] }: Node, outer: Style | undefined): void => {
    const style = styleOf(properties?.className) ?? outer;
    for (const [index, text] of (value ?? '').split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ text, style });
    }
    for (const child of children) add(child, style);
  };
  for (const node of lowlight.highlight(language, code).children as readonly Node[]) add(node, undefined);
  return lines;
}

function styleOf(classes: unknown): Style | undefined {
  const [first] = Array.isArray(classes) ? (classes as readonly string[]) : [];
  return first === undefined ? undefined : styles[first.replace(/^hljs-/, '')];
}
