/** The maximum length of the stored output of a command in UTF-16 units: 256 KiB of plain text. */
const mostOutput = 256 * 1024;

/** The length to which a growing output is cut: a quarter less, so that cutting costs four units per new one instead of 256 Ki. */
const leftAfterCut = (mostOutput / 4) * 3;

/** The newest part of a text, without half of a character at its start. */
export interface NewestText {
  readonly text: string;
  /** The beginning was left out. */
  readonly isCut: boolean;
}

/** An output that grows. V8 stores both parts and joins them when they are read. */
export function grownText({ text, isCut }: NewestText, added: string): NewestText {
  const all = text + added;
  return all.length > mostOutput ? { text: lastOf(all, leftAfterCut), isCut: true } : { text: all, isCut };
}

/** A whole output. */
export function newestText(text: string): NewestText {
  return { text: lastOf(text, mostOutput), isCut: text.length > mostOutput };
}

function lastOf(text: string, units: number): string {
  if (text.length <= units) return text;
  const start = text.length - units;
  const isInsideCharacter = /^[\udc00-\udfff]/.test(text.charAt(start));
  return text.slice(isInsideCharacter ? start + 1 : start);
}
