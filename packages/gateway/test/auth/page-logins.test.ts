import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PageLoginFile } from '../../src/auth/page-login-file.ts';
import { digestOf } from '../../src/auth/secret.ts';
import { PageLogins } from '../../src/auth/page-logins.ts';
import { MemoryPageTokens, type PageTokenStore, type PageTokenOwner } from '../../src/auth/page-token-store.ts';

const ada: PageTokenOwner = { principal: { id: '1', tenant: 'ada', scope: 'control' } };
const page = 'https://example.com';

/** A path in a folder of this test. */
async function loginsPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-logins-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'state', 'page-logins.json');
}

type OpenPasses = (now: () => number) => Promise<PageTokenStore>;

describe.each<[where: string, open: OpenPasses]>([
  ['memory', async (now) => new MemoryPageTokens(now)],
  ['a file', async (now) => new PageLoginFile(await loginsPath(), now)],
])('logins of pages in %s', (_where, open) => {
  /** Logins with a settable clock. */
  async function loginsAt(): Promise<{ readonly logins: PageLogins; readonly clock: { now: number } }> {
    const clock = { now: 1_000_000 };
    return { logins: new PageLogins(await open(() => clock.now)), clock };
  }

  /** The page token for a new ticket. */
  async function loggedIn(logins: PageLogins): Promise<string> {
    const grant = await logins.redeem(await logins.ticketFor(ada, page), page);
    return grant ? logins.tokenFor(grant) : '';
  }

  test('a ticket is exchanged once for a token, which represents its owner until the page logs out', async () => {
    const { logins } = await loginsAt();
    const ticket = await logins.ticketFor(ada, page);
    const grant = await logins.redeem(ticket, page);
    const token = await logins.tokenFor({ owner: ada, origin: page, ...grant });
    const other = await loggedIn(logins);
    const seen = { isToken: PageLogins.isToken(token), owner: await logins.ownerOf(token, page) };
    const again = await logins.redeem(ticket, page);
    await logins.end(digestOf(token));
    const after = [await logins.ownerOf(token, page), await logins.ownerOf(other, page)];
    expect({ ...seen, again, after }).toEqual({ isToken: true, owner: ada, again: undefined, after: [undefined, ada] });
  });

  test('a ticket is used up when a page of another origin sends it', async () => {
    const { logins } = await loginsAt();
    const ticket = await logins.ticketFor(ada, page);
    expect(await logins.redeem(ticket, 'https://evil.example')).toBeUndefined();
    expect(await logins.redeem(ticket, page)).toBeUndefined();
  });

  test('a ticket expires after a minute', async () => {
    const { logins, clock } = await loginsAt();
    const [early, late] = [await logins.ticketFor(ada, page), await logins.ticketFor(ada, page)];
    clock.now += 59_999;
    expect(await logins.redeem(early, page)).toBeDefined();
    clock.now += 1;
    expect(await logins.redeem(late, page)).toBeUndefined();
  });

  test('a page token is bound to its origin, expires after 30 days and is not accepted as a ticket', async () => {
    const { logins, clock } = await loginsAt();
    const ticket = await logins.ticketFor(ada, page);
    expect(await logins.ownerOf(ticket, page)).toBeUndefined();
    const token = await loggedIn(logins);
    expect(await logins.ownerOf(token, 'http://example.com')).toBeUndefined();
    expect(await logins.redeem(token, page)).toBeUndefined();
    expect(await logins.ownerOf(token, undefined)).toEqual(ada);
    clock.now += 30 * 86_400_000 - 1;
    expect(await logins.ownerOf(token, page)).toEqual(ada);
    clock.now += 1;
    expect(await logins.ownerOf(token, page)).toBeUndefined();
  });

  test('the oldest of more than 1,000 tickets is dropped', async () => {
    const { logins } = await loginsAt();
    const tickets: string[] = [];
    for (let count = 0; count < 1_001; count++) tickets.push(await logins.ticketFor(ada, page));
    expect([await logins.redeem(tickets[0] ?? '', page), await logins.redeem(tickets[1] ?? '', page)]).toEqual([
      undefined,
      { owner: ada, origin: page, digest: expect.any(String), expiresAt: expect.any(Number) },
    ]);
  });
});

test('a login file keeps pages logged in after a restart, for several servers, and holds no token', async () => {
  const path = await loginsPath();
  const [one, other] = [new PageLogins(new PageLoginFile(path)), new PageLogins(new PageLoginFile(path))];
  const token = await one.tokenFor({ owner: ada, origin: page });
  const second = await other.tokenFor({ owner: ada, origin: 'http://127.0.0.1:8000' });
  const restarted = new PageLogins(new PageLoginFile(path));
  const text = await readFile(path, 'utf8');
  expect({
    owners: [await restarted.ownerOf(token, page), await restarted.ownerOf(second, 'http://127.0.0.1:8000')],
    holdsToken: [token, second].some((each) => text.includes(each)),
    mode: ((await stat(path)).mode & 0o777).toString(8),
  }).toEqual({ owners: [ada, ada], holdsToken: false, mode: '600' });
});

test('a login that one server ends is ended for all servers that share the file', async () => {
  const path = await loginsPath();
  const [one, other] = [new PageLogins(new PageLoginFile(path)), new PageLogins(new PageLoginFile(path))];
  const token = await one.tokenFor({ owner: ada, origin: page }, 'Firefox');
  const [login] = await other.list('ada');
  await other.end(login?.digest ?? '');
  expect([login?.owner.browser, await other.list('other'), await one.ownerOf(token, page)]).toEqual([
    'Firefox',
    [],
    undefined,
  ]);
});
