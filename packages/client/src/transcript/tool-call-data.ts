/** The fields of an object; undefined for other values. */
export function fieldsOf(value: unknown): { readonly [key: string]: unknown } | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as { readonly [key: string]: unknown }) : undefined;
}

/** Whether content is a sentence about a changed file, in place of a diff of version 2. */
export function isChange(content: object): boolean {
  const { _meta: meta } = content as { readonly _meta?: unknown };
  return fieldsOf(fieldsOf(meta)?.['turnwire'])?.['isChange'] === true;
}

/** Keys with chunks of output: used once, and too large to store. */
const streams: ReadonlySet<string> = new Set(['terminal_output', 'terminal_output_delta']);

/** The maximum number of keys. Only the newest are kept. */
const mostKeys = 64;

/** `_meta` with new keys merged over the old; undefined if there are none. */
export function withoutStreams(before: { readonly [key: string]: unknown } | undefined, meta: unknown): typeof before {
  const reported = Object.entries(fieldsOf(meta) ?? {}).filter(([key]) => !streams.has(key));
  if (reported.length === 0) return undefined;
  const news = Object.fromEntries(reported);
  return before !== undefined && Object.keys(before).length < mostKeys ? { ...before, ...news } : news;
}

/** The parent of a call, as reported by Claude's agent. */
export function parentIdOf(meta: unknown): string | undefined {
  const id = fieldsOf(fieldsOf(meta)?.['claudeCode'])?.['parentToolUseId'];
  return typeof id === 'string' ? id : undefined;
}

/** The command in a tool's input. Agents name it `command` or `cmd`; a list contains the words of one, `commands` several commands. */
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

/** The script of `bash -lc SCRIPT`, which users consider the command. */
export function scriptOf(words: readonly string[]): string | undefined {
  const [shell = '', flag = '', script, ...rest] = words;
  const isShell = /(?:^|[\\/])(?:ba|da|z|k|)sh$/.test(shell) && /^-\w*c$/.test(flag);
  return isShell && rest.length === 0 ? script : undefined;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
