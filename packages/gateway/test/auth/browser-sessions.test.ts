import { expect, test } from 'vitest';
import { BrowserSessions } from '../../src/auth/browser-sessions.ts';
import { MemoryPasses, type PassOwner } from '../../src/auth/page-passes.ts';

const ada: PassOwner = { principal: { id: '1', tenant: 'ada', scope: 'control' } };
const page = 'https://example.com';

/** Sessions at a time that can be set. */
function sessionsAt(): { readonly sessions: BrowserSessions; readonly clock: { now: number } } {
  const clock = { now: 1_000_000 };
  return { sessions: new BrowserSessions(new MemoryPasses(() => clock.now)), clock };
}

/** The cookie for a new ticket. */
async function loggedIn(sessions: BrowserSessions): Promise<string> {
  const pass = await sessions.redeem(await sessions.ticketFor(ada, page), page);
  return pass ? (await sessions.cookieFor(pass)).cookie : '';
}

test('a ticket gives a cookie once, and the cookie stands for its owner', async () => {
  const { sessions } = sessionsAt();
  const ticket = await sessions.ticketFor(ada, page);
  const pass = await sessions.redeem(ticket, page);
  const { cookie, seconds } = await sessions.cookieFor({ owner: ada, origin: page, ...pass });
  expect([await sessions.ownerOf(cookie, page), seconds]).toEqual([ada, 12 * 3_600]);
  expect(await sessions.redeem(ticket, page)).toBeUndefined();
});

test('a ticket that a page of another origin sends is void', async () => {
  const { sessions } = sessionsAt();
  const ticket = await sessions.ticketFor(ada, page);
  expect(await sessions.redeem(ticket, 'https://evil.example')).toBeUndefined();
  expect(await sessions.redeem(ticket, page)).toBeUndefined();
});

test('a ticket is too old after a minute', async () => {
  const { sessions, clock } = sessionsAt();
  const [early, late] = [await sessions.ticketFor(ada, page), await sessions.ticketFor(ada, page)];
  clock.now += 59_999;
  expect(await sessions.redeem(early, page)).toBeDefined();
  clock.now += 1;
  expect(await sessions.redeem(late, page)).toBeUndefined();
});

test('a cookie is bound to its origin, ends after 12 hours and is no ticket', async () => {
  const { sessions, clock } = sessionsAt();
  const ticket = await sessions.ticketFor(ada, page);
  expect(await sessions.ownerOf(ticket, page)).toBeUndefined();
  const cookie = await loggedIn(sessions);
  expect(await sessions.ownerOf(cookie, 'http://example.com')).toBeUndefined();
  expect(await sessions.redeem(cookie, page)).toBeUndefined();
  expect(await sessions.ownerOf(cookie, undefined)).toEqual(ada);
  clock.now += 12 * 3_600_000 - 1;
  expect(await sessions.ownerOf(cookie, page)).toEqual(ada);
  clock.now += 1;
  expect(await sessions.ownerOf(cookie, page)).toBeUndefined();
});

test('of many tickets the oldest is dropped', async () => {
  const { sessions } = sessionsAt();
  const tickets: string[] = [];
  for (let count = 0; count < 1_001; count++) tickets.push(await sessions.ticketFor(ada, page));
  expect([await sessions.redeem(tickets[0] ?? '', page), await sessions.redeem(tickets[1] ?? '', page)]).toEqual([
    undefined,
    { owner: ada, origin: page, digest: expect.any(String), expiresAt: expect.any(Number) },
  ]);
});
