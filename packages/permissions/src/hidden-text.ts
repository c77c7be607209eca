import type { HereDoc, SyntaxNode, Word, WordPart } from 'unbash';

/**
 * Why a part of a line may contain more than the parser found; undefined if it does not. If the parser mistakes executable text for plain
 * text, no other check of the nodes can find it. So all plain text is checked again: it must contain nothing with a special meaning in its
 * position, and every character of a word must belong to one of its parts.
 */
export function hiddenText(node: SyntaxNode): string | undefined {
  const isSeen = isWholly(node);
  return isSeen ? undefined : 'a part of it cannot be parsed with certainty';
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

/** For text outside quotes. A line continuation in the middle of a word is rejected. */
function isPlain(text: string): boolean {
  return !text.includes('\\\n') && /^[^$`'"()<>|&;\s]*\$?$/.test(text.replaceAll(/\\./gs, ''));
}

/** For text in double quotes. */
function isPlainInQuotes(text: string): boolean {
  return isPlainInText(text) && !/"/.test(text.replaceAll(/\\./gs, ''));
}

/** For text in a here-document. A `$` must not be able to start an expansion. */
function isPlainInText(text: string): boolean {
  return !/`|\$[\w{(['"@*#?$!-]/.test(text.replaceAll('\\\n', '').replaceAll(/\\./gs, ''));
}
