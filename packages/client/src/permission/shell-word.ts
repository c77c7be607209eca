import { forEachChild, type Assignment, type SyntaxNode, type Word } from 'unbash';

/** A word of a command line. */
export interface ShellWord {
  /** What the command gets, quotes removed; only a part of it is known if the word is computed. */
  readonly value: string;
  /** As it was typed. */
  readonly text: string;
  /** `computed`: only the shell knows what it becomes. `glob`: names of files. */
  readonly kind: 'literal' | 'glob' | 'computed';
}

export function shellWord(node: Word | Assignment): ShellWord {
  if (node.type === 'Word') return { value: node.value, text: node.text, kind: kindOf(node) };
  const value = node.value.type === 'Word' && node.index === undefined ? `${node.name}=${node.value.value}` : node.text;
  return { value, text: node.text, kind: kindOf(node) };
}

/** Makes one word of a value again, quoted unless it means itself to every shell. */
export function quoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

const fixed: ReadonlySet<string> = new Set([
  'Word',
  'Literal',
  'SingleQuoted',
  'DoubleQuoted',
  'AnsiCQuoted',
  'LocaleString',
  'Assignment',
]);

function kindOf(node: SyntaxNode): ShellWord['kind'] {
  // ~ alone and ~/ are the user's home; ~name is somebody else's, which only the shell knows.
  let kind: ShellWord['kind'] = node.type === 'Word' && /^~[^/]/.test(node.text) ? 'computed' : 'literal';
  forEachChild(node, (child) => {
    const found = fixed.has(child.type) ? kindOf(child) : child.type === 'Glob' ? 'glob' : 'computed';
    if (found === 'computed' || (found === 'glob' && kind === 'literal')) kind = found;
  });
  return kind;
}
