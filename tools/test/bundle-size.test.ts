import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bundle } from '../bundle.ts';

test('the client with the whole protocol in it is at most 25 KB for a page to load', async () => {
  const { code } = await bundle(`export * from '@turnwire/client'`, 'browser');
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(25 * 1024);
});
