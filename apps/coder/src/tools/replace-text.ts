/** Where a text occurs in another, and what to put there, in the line endings of the place. */
export interface Replacements {
  readonly starts: readonly number[];
  readonly oldText: string;
  readonly newText: string;
}

/**
 * Finds every occurrence of the old text. In a file with CRLF line endings, texts written with LF match and are converted.
 * @returns the occurrences, or, when there is none, an explanation that names the nearest miss
 */
export function findReplacements(
  text: string,
  oldText: string,
  newText: string,
): Replacements | { readonly explanation: string } {
  const starts = occurrences(text, oldText);
  if (starts.length > 0) return { starts, oldText, newText: text.includes('\r\n') ? toCrlf(newText) : newText };
  const startsCrlf = occurrences(text, toCrlf(oldText));
  if (startsCrlf.length > 0) return { starts: startsCrlf, oldText: toCrlf(oldText), newText: toCrlf(newText) };
  return { explanation: explainMiss(text, oldText) };
}

/** Carries the replacements out on a text held in memory. */
export function replaceRanges(text: string, { starts, oldText, newText }: Replacements): string {
  let rest = 0;
  const parts = starts.map((start) => {
    const kept = text.slice(rest, start);
    rest = start + oldText.length;
    return kept + newText;
  });
  return parts.join('') + text.slice(rest);
}

function occurrences(text: string, part: string): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) starts.push(at);
  return starts;
}

function toCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

function explainMiss(text: string, oldText: string): string {
  const spaced = lineMatching(text, oldText, collapseSpace);
  if (spaced !== undefined)
    return `the old text does not occur; line ${spaced} differs from it only in white space. Read the file and copy the text exactly.`;
  const cased = lineMatching(text, oldText, (part) => collapseSpace(part).toLowerCase());
  if (cased !== undefined)
    return `the old text does not occur; line ${cased} differs from it in upper and lower case. Read the file and copy the text exactly.`;
  const firstLine = oldText.trim().split('\n', 1)[0]?.trim() ?? '';
  const begun = firstLine === '' ? -1 : text.split('\n').findIndex((line) => line.includes(firstLine));
  if (begun !== -1 && firstLine !== oldText.trim())
    return `the old text does not occur; its first line is on line ${begun + 1}, but what follows differs. Read the file again.`;
  return 'the old text does not occur. Read the file and copy the text exactly.';
}

/** The line on which a window of as many lines as the part has reads the same once both are normalised. */
function lineMatching(text: string, part: string, normalise: (part: string) => string): number | undefined {
  const wanted = normalise(part.trim());
  const lines = text.split('\n');
  const height = part.trim().split('\n').length;
  const at =
    wanted === ''
      ? -1
      : lines.findIndex((_, index) => normalise(lines.slice(index, index + height).join('\n')).includes(wanted));
  return at === -1 ? undefined : at + 1;
}

function collapseSpace(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
