import { expect, test } from 'vitest';
import { BrowserSessions } from '../../src/auth/browser-sessions.ts';
import type { TokenPrincipal } from '../../src/auth/token-file.ts';

const ada: TokenPrincipal = { id: '1', tenant: 'ada', scope: 'control' };
const page = 'https://example.com';

/** Sessions at a time that can be set. */
function sessionsAt(): { readonly sessions: BrowserSessions; readonly clock: { now: number } } {
  const clock = { now: 1_000_000 };
  return { sessions: new BrowserSessions(() => clock.now), clock };
}

test('a ticket gives a cookie once, and the cookie stands for the principal', () => {
  const { sessions } = sessionsAt();
  const ticket = sessions.ticketFor(ada, page);
  const { cookie = '', seconds } = sessions.redeem(ticket, page) ?? {};
  expect([sessions.principalOf(cookie, page), seconds]).toEqual([ada, 12 * 3_600]);
  expect(sessions.redeem(ticket, page)).toBeUndefined();
});

test('a ticket that a page of another origin sends is void', () => {
  const { sessions } = sessionsAt();
  const ticket = sessions.ticketFor(ada, page);
  expect(sessions.redeem(ticket, 'https://evil.example')).toBeUndefined();
  expect(sessions.redeem(ticket, page)).toBeUndefined();
});

test('a ticket is too old after a minute', () => {
  const { sessions, clock } = sessionsAt();
  const [early, late] = [sessions.ticketFor(ada, page), sessions.ticketFor(ada, page)];
  clock.now += 59_999;
  expect(sessions.redeem(early, page)).toBeDefined();
  clock.now += 1;
  expect(sessions.redeem(late, page)).toBeUndefined();
});

test('a cookie is bound to its origin, ends after 12 hours and is no ticket', () => {
  const { sessions, clock } = sessionsAt();
  const ticket = sessions.ticketFor(ada, page);
  expect(sessions.principalOf(ticket, page)).toBeUndefined();
  const { cookie = '' } = sessions.redeem(ticket, page) ?? {};
  expect(sessions.principalOf(cookie, 'http://example.com')).toBeUndefined();
  expect(sessions.redeem(cookie, page)).toBeUndefined();
  expect(sessions.principalOf(cookie, undefined)).toBe(ada);
  clock.now += 12 * 3_600_000 - 1;
  expect(sessions.principalOf(cookie, page)).toBe(ada);
  clock.now += 1;
  expect(sessions.principalOf(cookie, page)).toBeUndefined();
});

test('what a principal has is void when its token is', () => {
  const { sessions } = sessionsAt();
  const other: TokenPrincipal = { ...ada, id: '2' };
  const { cookie = '' } = sessions.redeem(sessions.ticketFor(ada, page), page) ?? {};
  const { cookie: kept = '' } = sessions.redeem(sessions.ticketFor(other, page), page) ?? {};
  const ticket = sessions.ticketFor(ada, page);
  sessions.end(ada);
  expect([sessions.principalOf(cookie, page), sessions.redeem(ticket, page), sessions.principalOf(kept, page)]).toEqual(
    [undefined, undefined, other],
  );
});

test('of many tickets the oldest is dropped', () => {
  const { sessions } = sessionsAt();
  const tickets = Array.from({ length: 1_001 }, () => sessions.ticketFor(ada, page));
  expect([sessions.redeem(tickets[0] ?? '', page), sessions.redeem(tickets[1] ?? '', page)]).toEqual([
    undefined,
    expect.objectContaining({}),
  ]);
});
