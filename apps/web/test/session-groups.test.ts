import { expect, test } from 'vitest';
import { sessionGroups } from '../src/sidebar/session-groups.ts';
import type { ListedSession } from '../src/state/listed-session.ts';

const now = new Date(2026, 10, 28, 9, 30).getTime();
const hour = 3_600_000;

function session(id: string, hoursAgo: number, state?: ListedSession['state']): ListedSession {
  return { id, title: id, agent: 'coder', cwd: '/home', updatedAt: now - hoursAgo * hour, hasNews: false, state };
}

test('sessions that wait for the user come first, then those at work, then the others by day', () => {
  const sessions = [
    ...[session('morning', 1), session('old', 300), session('night', 10), session('asks', 400, 'asking')],
    ...[session('works', 2, 'working'), session('midnight', 9.5), session('day before', 33.6)],
  ];
  expect(
    sessionGroups(sessions, now).map(({ title, sessions: group }) => [title, ...group.map(({ id }) => id)]),
  ).toEqual([
    ['Needs you', 'asks'],
    ['Working', 'works'],
    ['Today', 'morning', 'midnight'],
    ['Yesterday', 'night'],
    ['Earlier', 'old', 'day before'],
  ]);
});

test('without sessions there are no groups', () => {
  expect(sessionGroups([], now)).toEqual([]);
});
