import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../run.mjs';
import { longest } from '../test-order.ts';

test('all files that start first exist', () => {
  expect(longest.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
