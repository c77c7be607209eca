import { expect, test } from 'vitest';
import { staleFiles } from '../../../../tools/generate/generate.ts';

test('the generated files match the schema', async () => {
  expect(await staleFiles()).toEqual([]);
});
