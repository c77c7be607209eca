import { type Assignment, forEachChild, type SyntaxNode, type Word } from 'unbash';

/** A word of a command line. */
export interface ShellWord {
  /** The word without quotes; only partly known if the word is computed. */
  readonly value: string;
  /** As typed. */
  readonly text: string;
  /** `computed`: only the shell knows its value. `glob`: names of files. */
  readonly kind: 'literal' | 'glob' | 'computed';
  /** Its value, with {@link anyText} for each unknown part. */
  readonly becomes: string;
  /** Whether the shell may split it into several words, or none. */
  readonly isSplit: boolean;
}

/** Stands in {@link ShellWord.becomes} for any text. It cannot occur in a command line. */
export const anyText = '\0';

export function shellWord(node: Word | Assignment): ShellWord {
  const { text } = node;
  if (node.type === 'Word') {
    const parts = partsOf(node);
    return { value: node.value, text, ...parts };
  }
  if (node.value.type !== 'Word' || node.index !== undefined || node.append)
    return { value: text, text, kind: 'computed', becomes: anyText, isSplit: true };
  const { becomes, ...parts } = partsOf(node.value);
  return { value: `${node.name}=${node.value.value}`, text, ...parts, becomes: `${node.name}=${becomes}` };
}

/** Quotes a value for all shells, unless that is unnecessary. */
export function quoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) && !value.startsWith('=') ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

/** Whether the shell may make several words of one, which only it knows: `x=$(cat file)`. */
export function mayAddWords({ isSplit, kind }: ShellWord): boolean {
  return isSplit && kind === 'computed';
}

/** Whether a command may take a word for an option: it begins with a dash, or its beginning is unknown. */
export function mayBeOption(word: ShellWord): boolean {
  return word.becomes.startsWith('-') || word.becomes.startsWith(anyText) || mayAddWords(word);
}

type Parts = Pick<ShellWord, 'kind' | 'becomes' | 'isSplit'>;

const literalParts: ReadonlySet<string> = new Set(['Literal', 'SingleQuoted', 'AnsiCQuoted']);

function partsOf(word: Word): Parts {
  const children = childrenOf(word);
  // ~ alone and ~/ are the user's home; ~name is another user's, which only the shell knows. The same applies after `name=`.
  if (/^~[^/]|^\w+=(?:[^'"]*:)?~[^/]/.test(word.text)) return { kind: 'computed', becomes: anyText, isSplit: false };
  if (hasBraces(word)) return { kind: 'computed', becomes: anyText, isSplit: true };
  if (children.length === 0) return { kind: 'literal', becomes: word.value, isSplit: false };
  return children.map(partOf).reduce((one, other) => ({
    kind: one.kind === 'computed' || other.kind === 'literal' ? one.kind : other.kind,
    becomes: one.becomes + other.becomes,
    isSplit: one.isSplit || other.isSplit,
  }));
}

/** Bash expands braces with a comma or two dots into several words, in more cases than the parser. */
function hasBraces({ text, parts }: Word): boolean {
  const at = parts ? parts.find((part) => part.type === 'Literal' && part.text.includes('{'))?.pos : text.indexOf('{');
  return at !== undefined && at >= 0 && /\{.*(?:,|\.\.)/s.test(text);
}

function partOf(part: SyntaxNode): Parts {
  if (literalParts.has(part.type))
    return { kind: 'literal', becomes: (part as { value: string }).value, isSplit: false };
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') return insideQuotes(part);
  // These are numbers.
  const isSplit = !('text' in part && /^\$[?#$!]$/.test(part.text));
  return { kind: part.type === 'Glob' ? 'glob' : 'computed', becomes: anyText, isSplit };
}

/** In quotes everything except `"$@"` stays one word. */
function insideQuotes(quotes: SyntaxNode): Parts {
  const children = childrenOf(quotes);
  return {
    kind: children.every(({ type }) => literalParts.has(type)) ? 'literal' : 'computed',
    becomes: children.map((child) => partOf(child).becomes).join(''),
    isSplit: children.some(
      (child) => 'text' in child && /^\$(?:@|\{[@!#]?@?)/.test(child.text) && child.text.includes('@'),
    ),
  };
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => void children.push(child));
  return children;
}
