/** A Markdown file in its two parts. */
export interface FrontMatter {
  /** The fields between the lines of dashes, by key: one line each, without quotes. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Splits a file that begins with YAML between two lines of dashes. Of YAML it reads plain texts and folded ones. */
export function frontMatter(text: string): FrontMatter {
  const [whole = '', head = ''] = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const fields = new Map<string, string>();
  let last: string | undefined;
  for (const line of head.split(/\r?\n/)) {
    const [, key, value = ''] = /^([\w-]+):(?:[ \t]+(.*))?$/.exec(line) ?? [];
    if (key !== undefined) fields.set((last = key), unquoted(value.trim()));
    else if (last !== undefined && /^\s+\S/.test(line))
      fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`.trim());
  }
  return { fields, body: text.slice(whole.length).trim() };
}

/** The value of a line. A folded text follows in the next lines. */
function unquoted(value: string): string {
  if (/^[>|][+-]?$/.test(value)) return '';
  return /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
}
