import type { HereDoc, SyntaxNode, Word, WordPart } from 'unbash';

/**
 * Why a part of a line may hold more than the parser found in it; undefined if it does not. A parser that takes for plain text what a
 * shell would run is the one mistake that no other look at its nodes can find, so all plain text is looked at again: it must hold
 * nothing that has a meaning where it stands, and every character of a word must belong to one of its parts.
 */
export function hiddenText(node: SyntaxNode): string | undefined {
  const isSeen = isWholly(node);
  return isSeen ? undefined : 'what a part of it means cannot be told';
}

function isWholly(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'Word':
      return isWholeWord(node);
    case 'DoubleQuoted':
      return isTiled(node.text, node.parts, '"') && literals(node.parts).every(isPlainInQuotes);
    case 'LocaleString':
      return isTiled(node.text, node.parts, '$"') && literals(node.parts).every(isPlainInQuotes);
    case 'HereDoc':
      return isWholeText(node);
    case 'SimpleExpansion':
      return /^\$(?:\w+|[@*#?$!-])$/.test(node.text);
    case 'ParameterExpansion':
      return node.operation !== undefined || /^\$\{[#!]?(?:\w+|[@*#?$!-])(?:\[.*\])?\}$/s.test(node.text);
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return node.script !== undefined;
    default:
      return true;
  }
}

function isWholeWord({ text, parts }: Word): boolean {
  if (!parts) return isPlain(text);
  return isTiled(text, parts, '') && literals(parts).every(isPlain);
}

function isWholeText({ delimiter, body }: HereDoc): boolean {
  if (delimiter === undefined || delimiter.quoted) return true;
  return literals(body.parts ?? [{ type: 'Literal', text: body.text }]).every(isPlainInText);
}

function literals(parts: readonly Pick<WordPart, 'type' | 'text'>[]): readonly string[] {
  return parts.flatMap(({ type, text }) => (type === 'Literal' ? [text] : []));
}

function isTiled(text: string, parts: readonly WordPart[], opening: string): boolean {
  const closing = opening === '' ? '' : '"';
  return text === `${opening}${parts.map((part) => part.text).join('')}${closing}`;
}

/** Outside of quotes. A line that continues in the middle of a word is not told apart from what is around it. */
function isPlain(text: string): boolean {
  return !text.includes('\\\n') && /^[^$`'"()<>|&;\s]*\$?$/.test(text.replaceAll(/\\./gs, ''));
}

/** In double quotes. */
function isPlainInQuotes(text: string): boolean {
  return isPlainInText(text) && !/"/.test(text.replaceAll(/\\./gs, ''));
}

/** In a here-document. A `$` is one that no expansion can begin with. */
function isPlainInText(text: string): boolean {
  return !/`|\$[\w{(['"@*#?$!-]/.test(text.replaceAll('\\\n', '').replaceAll(/\\./gs, ''));
}
