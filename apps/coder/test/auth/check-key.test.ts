import { expect, test } from 'vitest';
import { checkKey } from '../../src/auth/check-key.ts';
import { ProviderServer } from './provider-server.ts';

const nowhere = { XDG_CONFIG_HOME: '/no/such/folder' };

test.each([
  ['anthropic', 'ANTHROPIC_BASE_URL', '/v1/models', 401],
  ['openai', 'OPENAI_BASE_URL', '/v1/models', 401],
  ['google', 'GOOGLE_GENERATIVE_AI_BASE_URL', '/v1beta/models', 400],
  ['openrouter', 'OPENROUTER_BASE_URL', '/v1/key', 403],
])('%s accepts or rejects a key', async (provider, variable, path, wrong) => {
  await using server = await ProviderServer.start('good', wrong);
  const env = { ...nowhere, [variable]: server.url };
  expect([await checkKey({ provider, key: 'good', env }), await checkKey({ provider, key: 'bad', env })]).toEqual([
    'accepted',
    'rejected',
  ]);
  expect(server.asked).toEqual([
    { path, key: 'good' },
    { path, key: 'bad' },
  ]);
});

test.each([500, 429, 302, 404])('status %i leaves the validity of a key unknown', async (status) => {
  await using server = await ProviderServer.start('good', status);
  expect(await checkKey({ provider: 'openai', key: 'k', env: { ...nowhere, OPENAI_BASE_URL: server.url } })).toBe(
    'unchecked',
  );
});

test('a provider that cannot be reached leaves the validity of a key unknown', async () => {
  expect(
    await checkKey({ provider: 'openai', key: 'k', env: { ...nowhere, OPENAI_BASE_URL: 'http://127.0.0.1:9' } }),
  ).toBe('unchecked');
});
