/** A quotation with any kind of quotation marks, as part of a regular expression. */
export const quoted: string = String.raw`"[^"]*"|“[^”]*”|‘[^’]*’|'[^']*'|\x60[^\x60]*\x60`;

/** Removes the outer quotation marks; the text between them is verbatim, inner marks included. */
export function unquote(text = ''): string {
  const bare = text.trim();
  return /^(?:"[^]*"|'[^]*'|“[^]*”|‘[^]*’|`[^]*`)$/.test(bare) && bare.length > 1 ? bare.slice(1, -1) : bare;
}
