/** Keys whose values may be secrets or prompt text, anywhere in a message. */
const sensitive =
  /^(?:env|headers|prompt|bearer|passphrase|pwd|.*(?:authorization|token|secret|passw(?:or)?d|credentials?|cookie|key))$/i;

/** Levels of nesting that are copied; deeper values are left out. */
const depth = 32;

/**
 * A copy of a message that may be shown in a log: environment values, headers, credentials and prompt text are
 * replaced by their size. Numbers, booleans and structure stay.
 */
export function redact(message: unknown): unknown {
  return copy(message, depth);
}

function copy(value: unknown, left: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (left === 0) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => copy(item, left - 1));
  const userText = (value as { sessionUpdate?: unknown }).sessionUpdate === 'user_message_chunk';
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      sensitive.test(key) || (userText && key === 'content') ? hide(each) : copy(each, left - 1),
    ]),
  );
}

/** The size of a value instead of the value. */
function hide(value: unknown): unknown {
  if (typeof value === 'string') return `[redacted, ${value.length} characters]`;
  if (typeof value !== 'object' || value === null) return value;
  return `[redacted, ${Object.keys(value).length} ${Array.isArray(value) ? 'items' : 'keys'}]`;
}
