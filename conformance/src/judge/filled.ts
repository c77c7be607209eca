import { asMessage } from '../wire/messages.ts';

/**
 * A value of a catalogue in which names such as `$session` stand for what they are in a run: alone for any value, in a text for a text. An
 * object `{ "$repeat": [text, times] }` is that text so often.
 */
export function filled<Value>(value: Value, names: Readonly<Record<string, unknown>>): Value;
export function filled(value: unknown, names: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') {
    if (Object.hasOwn(names, value)) return names[value];
    return Object.entries(names).reduce((text, [name, each]) => text.replaceAll(name, String(each)), value);
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, names));
  const object = asMessage(value);
  if (object === undefined) return value;
  const [text, times] = (object['$repeat'] ?? []) as readonly [string?, number?];
  if (text !== undefined) return text.repeat(times ?? 1);
  return Object.fromEntries(Object.entries(object).map(([key, each]) => [key, filled(each, names)]));
}
