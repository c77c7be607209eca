import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/** The tests that the cells of a row name, with their files. */
const named = /`([^`]+\.ts)`: “([^”]+)”/g;

test('every attack has tests, and each of these tests exists', async () => {
  const table = await readFile(new URL('attack-cases.md', import.meta.url), 'utf8');
  const rows = [...table.matchAll(/^\| (\d+) \|.*$/gm)];
  const tests = rows.map(([row]) => [...row.matchAll(named)].map(([, path = '', title = '']) => ({ path, title })));
  expect(rows.map(([, number]) => Number(number))).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  expect(tests.findIndex((each) => each.length === 0)).toBe(-1);
  const missing = tests.flat().map(async (each) => ((await isThere(each)) ? [] : [each]));
  expect((await Promise.all(missing)).flat()).toEqual([]);
});

/** Whether a file contains this test title, which may end with a reason to skip it, or a row of a test table. */
async function isThere({ path, title }: { readonly path: string; readonly title: string }): Promise<boolean> {
  const source = await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8').catch(() => '');
  return [`'${title}'`, `"${title}"`, `\`${title}\``, `\`${title}\${unless`].some((text) => source.includes(text));
}
