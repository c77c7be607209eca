import type { ToolCallContent } from '@agentwire/protocol';

/** Text as a tool call shows it. */
export function shownText(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** A change of one file as a tool call shows it. Without an old text the file is new. */
export function shownDiff(path: string, oldText: string | undefined, newText: string): ToolCallContent {
  return { type: 'diff', path, newText, ...(oldText !== undefined && { oldText }) };
}
