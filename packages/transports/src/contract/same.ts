/** Throws unless the two values have the same JSON, and names the first difference. */
export function same(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  if (!Array.isArray(actual) || !Array.isArray(expected)) throw new Error(difference('', actual, expected));
  const at = expected.findIndex((each, index) => JSON.stringify(each) !== JSON.stringify(actual[index]));
  if (at < 0) throw new Error(difference(` ${expected.length}`, actual[expected.length], undefined));
  throw new Error(difference(` ${at}`, actual[at], expected[at]));
}

function difference(where: string, actual: unknown, expected: unknown): string {
  return `entry${where} is ${excerpt(actual)}, not ${excerpt(expected)}`;
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
}
