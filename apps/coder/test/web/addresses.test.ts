import { expect, test } from 'vitest';
import { isPublicAddress, looksPrivate, resolveHost } from '../../src/web/addresses.ts';

test.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b:1::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  ['localhost', true],
  ['localhost.', true],
  ['app.localhost', true],
  ['printer.local', true],
  ['intranet', true],
  ['metadata.google.internal', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['example.com', false],
  ['8.8.8.8', false],
  ['localhost.example.com', false],
])('%s looks private: %s', (host, isPrivate) => {
  expect(looksPrivate(host)).toBe(isPrivate);
});

test.each(['0x7f.1', '2130706433', '0177.0.0.1', '127.1'])('%s is another way to write this machine', (host) => {
  expect(looksPrivate(new URL(`http://${host}/`).hostname)).toBe(true);
});

test('a name is judged by its resolved address', async () => {
  const { privateAddress } = await resolveHost('localhost', new AbortController().signal);
  expect(['127.0.0.1', '::1']).toContain(privateAddress);
});

test('a name that does not resolve is reported', async () => {
  const looked = resolveHost('no-such-host.invalid', new AbortController().signal);
  await expect(looked).rejects.toThrow('There is no host no-such-host.invalid, or its address cannot be found');
});

test('a cancelled lookup ends at once', async () => {
  const controller = new AbortController();
  const looked = resolveHost('localhost', controller.signal);
  controller.abort(new Error('enough'));
  await expect(looked).rejects.toThrow('enough');
});
