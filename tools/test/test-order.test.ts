import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../run.mjs';
import { longest } from '../test-order.ts';

test('the files that begin first are there', () => {
  expect(longest.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
