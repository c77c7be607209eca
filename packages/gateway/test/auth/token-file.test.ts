import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { setTimeout as delay } from 'node:timers/promises';
import { within } from '../../../../tools/pace.ts';
import { TokenFile, type TokenGrant, type TokenPrincipal } from '../../src/auth/token-file.ts';

let path: string;
let tokens: TokenFile;
const grant: TokenGrant = { label: 'phone', tenant: 'ada', scope: 'control', expiresAt: null };

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-tokens-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  path = join(folder, 'gateway', 'tokens.json');
  tokens = new TokenFile(path);
});

/** The principals whose end is reported, in order. */
function ended(file: TokenFile): readonly TokenPrincipal[] {
  const principals: TokenPrincipal[] = [];
  onTestFinished(file.watch((principal) => principals.push(principal)));
  return principals;
}

test('a token of 256 random bits works for its grant, in another process too', async () => {
  const { token, record } = await tokens.create(grant);
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  const { id, createdAt, ...facts } = record;
  expect(facts).toEqual(grant);
  expect(createdAt).toBeLessThanOrEqual(Date.now());
  expect(await new TokenFile(path).principalOf(token)).toEqual({ id, tenant: 'ada', scope: 'control' });
});

test('the same token has the same principal', async () => {
  const { token } = await tokens.create(grant);
  expect(await tokens.principalOf(token)).toBe(await tokens.principalOf(token));
});

test.each(['', 'wrong', 'x'.repeat(43), 'x'.repeat(100_000), '🧑‍💻', '\0'])('%j is not a valid token', async (wrong) => {
  await tokens.create(grant);
  expect(await tokens.principalOf(wrong)).toBeUndefined();
});

test('neither a part of a token nor its digest is accepted', async () => {
  const { token } = await tokens.create(grant);
  const { digest } = (JSON.parse(await readFile(path, 'utf8')) as { tokens: [{ digest: string }] }).tokens[0];
  const wrong = [token.slice(0, -1), `${token}x`, token.toUpperCase(), digest, ` ${token}`];
  expect(await Promise.all(wrong.map((each) => tokens.principalOf(each)))).toEqual(wrong.map(() => undefined));
});

test('only the owner can read the file, which does not contain the token', async () => {
  const { token, record } = await tokens.create(grant);
  const text = await readFile(path, 'utf8');
  expect([(await stat(path)).mode % 0o1000, (await stat(join(path, '..'))).mode % 0o1000]).toEqual([0o600, 0o700]);
  expect(text).toContain(record.id);
  expect(text).not.toContain(token);
});

test('the list of tokens contains no digests', async () => {
  const { record: first } = await tokens.create(grant);
  const { record: second } = await tokens.create({ ...grant, label: 'old', expiresAt: 5 });
  expect(await new TokenFile(path).list()).toEqual([first, second]);
});

test('tokens that several processes create at once are all stored', async () => {
  const made = await Promise.all(Array.from({ length: 10 }, () => new TokenFile(path).create(grant)));
  expect((await tokens.list()).map(({ id }) => id).toSorted()).toEqual(made.map(({ record }) => record.id).toSorted());
});

test('an expired token is refused', async () => {
  const { token } = await tokens.create({ ...grant, expiresAt: Date.now() - 1 });
  expect(await tokens.principalOf(token)).toBeUndefined();
});

test('a token that another process revokes is refused from then on, and its principal is reported', async () => {
  const { token, record } = await tokens.create(grant);
  const { token: other } = await tokens.create(grant);
  const principal = await tokens.principalOf(token);
  await tokens.principalOf(other);
  const principals = ended(tokens);
  expect(await new TokenFile(path).revoke(record.id)).toBe(true);
  expect(await new TokenFile(path).revoke(record.id)).toBe(false);
  await expect.poll(() => principals).toEqual([principal]);
  expect(await tokens.principalOf(token)).toBeUndefined();
  expect(await tokens.principalOf(other)).toMatchObject({ tenant: 'ada' });
});

test('the principal of a token that expires is reported', async () => {
  const { token } = await tokens.create({ ...grant, expiresAt: Date.now() + within(1_000) });
  const principal = await tokens.principalOf(token);
  const principals = ended(tokens);
  await expect.poll(() => principals).toEqual([principal]);
});

test('all tokens are refused when their file is deleted', async () => {
  const { token } = await tokens.create(grant);
  await rm(path);
  expect(await tokens.principalOf(token)).toBeUndefined();
});

test.each([
  ['invalid JSON', 'x', 'does not hold tokens; restore it, or remove it and make new tokens'],
  ['null', 'null', 'was written by a newer version of this program; use that one'],
  ['a later version', '{"version":2}', 'was written by a newer version of this program; use that one'],
  [
    'a token without a digest',
    '{"version":1,"tokens":[{"id":"1"}]}',
    'does not hold tokens; restore it, or remove it and make new tokens',
  ],
])('a file with %s refuses every token', async (_kind, text, reason) => {
  const { token } = await tokens.create(grant);
  await delay(2);
  await writeFile(path, text);
  await expect(tokens.principalOf(token)).rejects.toMatchObject({
    code: 'invalid-input',
    message: `${path} ${reason}`,
  });
});

test.each([{ scope: 'root' as 'admin' }, { tenant: '' }, { scope: 'constructor' as 'admin' }])(
  'a token with %j is refused',
  async (wrong) => {
    await expect(tokens.create({ ...grant, ...wrong })).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await tokens.list()).toEqual([]);
  },
);

test('a token ends with the token that created it', async () => {
  const maker = await tokens.create(grant);
  const link = { ...grant, scope: 'observe', session: 'one', madeBy: maker.record.id } as const;
  const { token } = await tokens.create(link);
  const before = await tokens.principalOf(token);
  await tokens.revoke(maker.record.id);
  expect({ before: before?.session, after: await tokens.principalOf(token) }).toEqual({
    before: 'one',
    after: undefined,
  });
});

test('one token makes at most 100 session links, whatever other tokens have made, and expired ones are removed', async () => {
  const link = { ...grant, scope: 'observe', session: 'one', expiresAt: Date.now() + 60_000 } as const;
  await tokens.create({ ...link, expiresAt: Date.now() - 1 });
  for (let count = 0; count < 100; count += 1) await tokens.create(link);
  await expect(tokens.create(link)).rejects.toMatchObject({ code: 'invalid-input' });
  await tokens.create({ ...link, tenant: 'other' });
  const { record } = await tokens.create(grant);
  await tokens.create({ ...link, madeBy: record.id });
  expect(await tokens.list()).toHaveLength(103);
});
