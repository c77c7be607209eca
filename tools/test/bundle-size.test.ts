import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bundle } from '../bundle.ts';

test('the client with the whole protocol is at most 26,040 bytes as a bundle for a page', async () => {
  const { code } = await bundle(`export * from '@turnwire/client'`, 'browser');
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(26_040);
});
