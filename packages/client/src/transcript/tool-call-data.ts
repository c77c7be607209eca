/** An object with unknown fields, or nothing. */
export function fieldsOf(value: unknown): { readonly [key: string]: unknown } | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as { readonly [key: string]: unknown }) : undefined;
}

/** What carries pieces of output: of use once, and too large to keep. */
const streams: ReadonlySet<string> = new Set(['terminal_output', 'terminal_output_delta']);

/** More keys than anybody needs: from here on the newest are kept, not all. */
const mostKeys = 64;

/** `_meta` with the new keys put over the old, or nothing if there is nothing new. */
export function withoutStreams(before: { readonly [key: string]: unknown } | undefined, meta: unknown): typeof before {
  const told = Object.entries(fieldsOf(meta) ?? {}).filter(([key]) => !streams.has(key));
  if (told.length === 0) return undefined;
  const news = Object.fromEntries(told);
  return before !== undefined && Object.keys(before).length < mostKeys ? { ...before, ...news } : news;
}

/** The call this one is part of, as Claude's agent says it. */
export function parentIdOf(meta: unknown): string | undefined {
  const id = fieldsOf(fieldsOf(meta)?.['claudeCode'])?.['parentToolUseId'];
  return typeof id === 'string' ? id : undefined;
}

/** The command in a tool's input. Agents call it `command` or `cmd`; a list is the words of one, `commands` is several. */
export function commandOf(rawInput: unknown): string | undefined {
  const fields = fieldsOf(rawInput);
  const value = fields?.['command'] ?? fields?.['cmd'];
  if (typeof value === 'string') return value || undefined;
  if (isTexts(value)) return scriptOf(value) ?? value.map(quoted).join(' ');
  const several = fields?.['commands'];
  return isTexts(several) ? several.join('\n') : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
}

/** Of `bash -lc SCRIPT` the script is what people call the command. */
export function scriptOf(words: readonly string[]): string | undefined {
  const [shell = '', flag = '', script, ...rest] = words;
  const isShell = /(?:^|[\\/])(?:ba|da|z|k|)sh$/.test(shell) && /^-\w*c$/.test(flag);
  return isShell && rest.length === 0 ? script : undefined;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
