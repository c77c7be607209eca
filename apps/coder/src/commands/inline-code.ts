/** Formats any text as inline code in Markdown. */
export function inlineCode(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  const longest = Math.max(0, ...(line.match(/`+/gu) ?? []).map((run) => run.length));
  const marks = '`'.repeat(longest + 1);
  return longest === 0 ? `${marks}${line}${marks}` : `${marks} ${line} ${marks}`;
}
