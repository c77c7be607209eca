import { expect, test } from 'vitest';
import { staleFiles } from '../../../../tools/generate/generate.ts';

test('the generated files are what the schema says', async () => {
  expect(await staleFiles()).toEqual([]);
});
