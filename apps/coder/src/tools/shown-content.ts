import type { ToolCallContent } from '@turnwire/protocol';

// Above this many characters of both sides together only the difference is sent: a client might refuse the frame.
const wholeDiffLimit = 512 * 1024;
const excerptContext = 2000;

/** Text for display in a tool call. */
export function shownText(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/**
 * A change of one file for display in a tool call. Without an old text the file is new. Of a very long text only the part between
 * the first and the last difference is shown, with some lines around.
 */
export function shownDiff(path: string, oldText: string | undefined, newText: string): ToolCallContent {
  // Some clients accept a diff only with an old text.
  if (oldText === undefined) return { type: 'diff', path, oldText: null, newText };
  if (oldText.length + newText.length <= wholeDiffLimit) return { type: 'diff', path, oldText, newText };
  const { start, oldEnd, newEnd } = differing(oldText, newText);
  return { type: 'diff', path, oldText: oldText.slice(start, oldEnd), newText: newText.slice(start, newEnd) };
}

function differing(
  oldText: string,
  newText: string,
): { readonly start: number; readonly oldEnd: number; readonly newEnd: number } {
  const shorter = Math.min(oldText.length, newText.length);
  let same = 0;
  while (same < shorter && oldText[same] === newText[same]) same += 1;
  let sameAtEnd = 0;
  while (sameAtEnd < shorter - same && oldText.at(-1 - sameAtEnd) === newText.at(-1 - sameAtEnd)) sameAtEnd += 1;
  const start = oldText.lastIndexOf('\n', Math.max(0, same - excerptContext)) + 1;
  const lineEnd = oldText.indexOf('\n', oldText.length - sameAtEnd + excerptContext);
  const oldEnd = lineEnd === -1 ? oldText.length : lineEnd + 1;
  return { start, oldEnd, newEnd: oldEnd + newText.length - oldText.length };
}
