import { asMessage } from '../wire/messages.ts';

/**
 * Fills in the names in a value of a catalogue, such as `$session`. A name that is the whole text is replaced by any value, inside a text
 * by text. An object `{ "$repeat": [text, times] }` becomes the repeated text.
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
