import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const page = new URL('../../cli/dist/page/', import.meta.url);

test('the scripts that the page loads first are at most 170,000 bytes in gzip, and do not compare files', () => {
  const document = readFileSync(new URL('index.html', page), 'utf8');
  const names = [...document.matchAll(/"(assets\/[^"]+\.js)"/g)].map(([, name = '']) => name);
  const scripts = names.map((name) => readFileSync(new URL(name, page)));
  const size = scripts.reduce((sum, script) => sum + gzipSync(script, { level: 9 }).length, 0);
  expect(scripts.filter((script) => script.includes('maxEditLength'))).toEqual([]);
  expect(size).toBeGreaterThan(50_000);
  expect(size).toBeLessThanOrEqual(170_000);
});
