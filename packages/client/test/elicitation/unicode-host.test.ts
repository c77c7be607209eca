import { domainToASCII, domainToUnicode } from 'node:url';
import { expect, test } from 'vitest';
import { unicodeHost } from '../../src/elicitation/unicode-host.ts';

test('a host is decoded as Node decodes it', () => {
  const hosts = [
    'münchen.de',
    'аррӏе.com',
    '例え.テスト',
    'bücher.例.example.org',
    '😀.example',
    'ñandú-y-más.es',
    'ελλάδα.gr',
  ];
  const ascii = hosts.map(domainToASCII);
  expect(ascii.map(unicodeHost)).toEqual(ascii.map(domainToUnicode));
});

test('a label that is not valid Punycode is unchanged', () => {
  const hosts = ['xn--.com', 'xn--a_b!.com', 'xn--99999999.com', 'example.org', '127.0.0.1', 'xn--a-ü.de'];
  expect(hosts.map(unicodeHost)).toEqual(hosts);
});
