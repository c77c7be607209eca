import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { connectClient } from '@turnwire/protocol';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { TokenFile } from '@turnwire/gateway';
import { TokenIssuer } from '../src/token-issuer.ts';
import { openHttpServer } from '@turnwire/gateway/endpoints';
import { within } from '../../../tools/pace.ts';

let own: CryptoKey;
let foreign: CryptoKey;
let keys: object;
let folder: string;
let issuer: TokenIssuer;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256');
  own = pair.privateKey;
  keys = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' }] };
  foreign = (await generateKeyPair('ES256')).privateKey;
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnwire-issuer-'));
  await writeFile(join(folder, 'jwks.json'), JSON.stringify(keys));
  issuer = new TokenIssuer({ issuer: 'https://id.example', audience: 'turnwire', keys: join(folder, 'jwks.json') });
  return () => rm(folder, { recursive: true });
});

const claims = {
  iss: 'https://id.example',
  aud: 'turnwire',
  sub: 'ada',
  tenant: 'blue',
  scope: 'openid turnwire:control',
};
const inAnHour = (): number => Math.floor(Date.now() / 1_000) + 3_600;

function signed(
  changes: Readonly<Record<string, unknown>>,
  { key = own, alg = 'ES256' }: { key?: CryptoKey | Uint8Array; alg?: string } = {},
): Promise<string> {
  return new SignJWT({ ...claims, exp: inAnHour(), ...changes }).setProtectedHeader({ alg, kid: 'one' }).sign(key);
}

test('a signed token names its tenant, and all tokens with the same claims share one principal', async () => {
  const principal = await issuer.principalOf(await signed({}));
  const later = await issuer.principalOf(await signed({ exp: inAnHour() + 60 }));
  const other = await issuer.principalOf(await signed({ scope: 'turnwire:observe turnwire:admin' }));
  expect({ principal, isSame: later === principal, other }).toEqual({
    principal: { id: 'ada', tenant: 'blue', scope: 'control' },
    isSame: true,
    other: { id: 'ada', tenant: 'blue', scope: 'admin' },
  });
});

test('a token that is expired, for another audience, from another issuer, with another signature or without a required claim is refused', async () => {
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ ...claims, exp: inAnHour() })).toString('base64url')}.`;
  const shared = new TextEncoder().encode(JSON.stringify(keys));
  const tokens = await Promise.all([
    signed({ exp: Math.floor(Date.now() / 1_000) - 60 }),
    signed({ exp: undefined }),
    signed({ aud: 'another' }),
    signed({ iss: 'https://id.example.evil' }),
    signed({}, { key: foreign }),
    signed({}, { key: shared, alg: 'HS256' }),
    signed({ tenant: undefined }),
    signed({ tenant: 'local' }),
    signed({ tenant: ['blue'] }),
    signed({ sub: '' }),
    signed({ sub: 'ada\ud800' }),
    signed({ tenant: 'blue\udfff' }),
    signed({ scope: 'openid' }),
    signed({ scope: 'xturnwire:admin' }),
  ]);
  const principals = await Promise.all([...tokens, unsigned, 'a.b.c'].map((token) => issuer.principalOf(token)));
  expect(principals).toEqual(principals.map(() => undefined));
});

test('a principal is reported when its last token expires, so that its connections can be closed', async () => {
  const ended: unknown[] = [];
  onTestFinished(issuer.watch((principal) => ended.push(principal)));
  // Within the tolerance for clocks, and expired after it.
  const principal = await issuer.principalOf(await signed({ exp: Math.floor(Date.now() / 1_000) - 1 }));
  await expect.poll(() => ended).toEqual([principal]);
});

test('an expired token does not disconnect another tenant with the same subject', async () => {
  const tokens = new TokenFile(join(folder, 'tokens.json'));
  const address = { host: '127.0.0.1', port: 0, agents: ['coder'], tokens, issuer };
  const server = await openHttpServer(address, (transport) => ({
    closed: new Promise<void>((resolve) =>
      transport.start({ frame: () => undefined, warning: () => undefined, end: () => resolve() }),
    ),
  }));
  onTestFinished(() => server.close());
  const connected = async (changes: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const headers = { authorization: `Bearer ${await signed(changes)}` };
    const peer = connectClient(connectWebSocket(server.webSocketUrl, { headers }), {});
    void peer.request('initialize', { protocolVersion: 1, clientCapabilities: {} }).catch(() => undefined);
    return peer.closed;
  };
  const ends: string[] = [];
  // Both connections are open by then, also on a busy machine.
  const blue = connected({ exp: Math.ceil((Date.now() + within(2_000)) / 1_000) }).then(() => ends.push('blue'));
  const green = connected({ tenant: 'green' }).then(() => ends.push('green'));
  await expect.poll(() => server.connections).toBe(2);
  await blue;
  await expect.poll(() => server.connections).toBe(1);
  expect(ends).toEqual(['blue']);
  await server.close();
  await green;
});

test('keys that are replaced in their file apply from the next token on', async () => {
  const before = await issuer.principalOf(await signed({}));
  const next = await generateKeyPair('ES256');
  const replaced = { keys: [{ ...(await exportJWK(next.publicKey)), kid: 'one', alg: 'ES256' }] };
  await writeFile(join(folder, 'jwks.json'), `${JSON.stringify(replaced)}\n`);
  expect([
    before?.tenant,
    await issuer.principalOf(await signed({})),
    (await issuer.principalOf(await signed({}, { key: next.privateKey })))?.tenant,
  ]).toEqual(['blue', undefined, 'blue']);
});
