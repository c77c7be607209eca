import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../run.mjs';

const table = join(root, 'packages/protocol/src/turnwire-methods.ts');
const rows = [...readFileSync(table, 'utf8').matchAll(/^ {2}readonly '(_turnwire\/\w+)':/gm)]
  .map(([, method = '']) => method)
  .toSorted();

/** The methods in the sources of all packages and apps, without the table itself. */
function namedMethods(): readonly string[] {
  const sources = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(root, parent, name, 'src')),
  );
  const files = sources.flatMap((source) =>
    readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(source, name))
      .filter((file) => file !== table),
  );
  const names = files.flatMap((file) => readFileSync(file, 'utf8').match(/_turnwire\/[a-z]\w*/g) ?? []);
  return [...new Set(names)].toSorted();
}

test('the table has exactly the methods of gateways that the sources name', () => {
  expect(namedMethods()).toEqual(rows);
});

test('the guide for servers explains every method of the table', () => {
  const guide = readFileSync(join(root, 'docs/guide/serve.md'), 'utf8');
  expect(rows.filter((method) => !guide.includes(`\`${method}\``))).toEqual([]);
});
