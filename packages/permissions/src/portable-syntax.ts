import type { SyntaxNode, Word } from 'unbash';
import { isNumeric } from './node-meanings.ts';

/**
 * Why some shells parse a part of a line differently from Bash, or not at all; undefined if all of them parse it alike. Only POSIX
 * constructs are known to be parsed alike, except those that zsh or fish parse differently.
 */
export function beyondPosix(node: SyntaxNode): string | undefined {
  const isPortable: ((node: never) => boolean) | undefined = portable[node.type];
  return isPortable?.(node as never) ? undefined : `shells parse it differently (${textOf(node)})`;
}

type NodeOf<Type extends SyntaxNode['type']> = Extract<SyntaxNode, { readonly type: Type }>;

const always = (): boolean => true;

/** The POSIX constructs, each with the condition under which it is parsed alike everywhere. */
const portable: { readonly [Type in SyntaxNode['type']]?: (node: NodeOf<Type>) => boolean } = {
  AndOr: always,
  // Numbers only; other arithmetic is a doubt everywhere.
  ArithmeticBinary: always,
  ArithmeticExpansion: isNumeric,
  ArithmeticGroup: always,
  ArithmeticTernary: always,
  ArithmeticUnary: always,
  ArithmeticWord: always,
  // Other shells parse `a+=b` as the name of a command.
  Assignment: ({ append, index, value }) => !append && !index && value.type === 'Word',
  BraceGroup: always,
  Case: always,
  CaseItem: ({ terminator }) => terminator === undefined || terminator === ';;',
  Command: always,
  // Shells remove backslashes in backquotes at different times.
  CommandExpansion: ({ script }) => script !== undefined && script.source === undefined,
  CompoundList: always,
  DoubleQuoted: always,
  Elif: always,
  FileDescriptor: ({ value }) => value < 10,
  For: always,
  Glob: ({ text }) => !text.startsWith('[^'),
  HereDoc: always,
  HereDocBody: always,
  HereDocDelimiter: ({ text }) => !/[$`]/.test(text),
  If: always,
  Literal: always,
  Negation: always,
  ParameterExpansion: ({ operation, index, prefix }) => !operation && !index && prefix === undefined,
  Pipeline: ({ operators }) => operators.every((operator) => operator === '|'),
  Redirect: ({ operator, target }) =>
    !operator.startsWith('&') &&
    (!operator.endsWith('&') || /^(?:\d|-)$/.test(target?.text ?? '')) &&
    !/^\d*-\d*$/.test(target?.text ?? ''),
  Script: always,
  SimpleExpansion: always,
  // In fish a backslash escapes the quote after it.
  SingleQuoted: ({ value }) => !value.endsWith('\\'),
  Statement: always,
  Subshell: always,
  While: always,
  Word: isPlainWord,
};

/**
 * Whether all shells parse a word alike: zsh expands `=name` to the path of a program, and fish has escapes such as `\x6f` outside quotes.
 */
function isPlainWord({ text, parts }: Word): boolean {
  const unquoted = parts?.flatMap((part) => (part.type === 'Literal' ? [part.text] : [])) ?? [text];
  return !text.startsWith('=') && !unquoted.some((each) => /\\[A-Za-z0-9]/.test(each));
}

function textOf(node: SyntaxNode): string {
  if ('text' in node && typeof node.text === 'string')
    return node.text.length > 40 ? `${node.text.slice(0, 40)}…` : node.text;
  return names[node.type] ?? node.type;
}

const names: Readonly<Record<string, string>> = {
  ArrayValue: 'an array',
  FileDescriptor: 'a file descriptor above 9',
  Function: 'a function',
  HereString: '<<<',
  Pipeline: '|&',
  Redirect: 'a redirection such as &>',
  Select: 'select',
  TestCommand: '[[ … ]]',
  Time: 'time',
};
