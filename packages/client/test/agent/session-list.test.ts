import type { ListSessionsResponse } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { failure, type Pair, pair } from './agent-pair.ts';

const info = (sessionId: string) => ({ sessionId, cwd: '/project' });

/** An agent with these pages, by the cursor that leads to each. */
function withPages(pages: Readonly<Record<string, ListSessionsResponse>>): Promise<Pair> {
  return pair({
    capabilities: { sessionCapabilities: { list: {} } },
    handlers: { 'session/list': ({ cursor }) => pages[cursor ?? ''] ?? { sessions: [] } },
  });
}

async function all<Item>(items: AsyncIterable<Item> | undefined, into: Item[] = []): Promise<Item[]> {
  for await (const item of items ?? []) into.push(item);
  return into;
}

const odd = ' {"page": 2}\u0000/é';
const pages = {
  '': { sessions: [info('a'), info('b')], nextCursor: odd },
  [odd]: { sessions: [], nextCursor: 'last' },
  last: { sessions: [{ ...info('c'), title: 'Third', additionalDirectories: ['/more'] }], nextCursor: null },
};

test('all pages of sessions are listed, with unchanged cursors', async () => {
  await using connected = await withPages(pages);
  const sessions = await all(connected.agent.listSessions?.({ cwd: '/project' }));
  expect({ sessions, calls: connected.calls }).toEqual({
    sessions: [info('a'), info('b'), { ...info('c'), title: 'Third', additionalDirectories: ['/more'] }],
    calls: [
      ['session/list', { cwd: '/project' }],
      ['session/list', { cwd: '/project', cursor: odd }],
      ['session/list', { cwd: '/project', cursor: 'last' }],
    ],
  });
});

test('pages are fetched one at a time, on demand', async () => {
  await using connected = await withPages(pages);
  const seen: number[] = [];
  for await (const page of connected.agent.listSessions?.().pages() ?? []) {
    seen.push(page.length);
    if (seen.length === 2) break;
  }
  expect({ seen, calls: connected.calls.length }).toEqual({ seen: [2, 0], calls: 2 });
});

test('a list can be read again', async () => {
  await using connected = await withPages(pages);
  const list = connected.agent.listSessions?.();
  expect([(await all(list)).length, (await all(list)).length]).toEqual([3, 3]);
});

test('a cycle of pages ends with an error after their sessions', async () => {
  await using connected = await withPages({
    '': { sessions: [info('a')], nextCursor: 'x' },
    x: { sessions: [info('b')], nextCursor: 'y' },
    y: { sessions: [info('c')], nextCursor: 'x' },
  });
  const seen: ReturnType<typeof info>[] = [];
  expect({ error: await failure(all(connected.agent.listSessions?.(), seen)), seen }).toEqual({
    error: {
      code: 'invalid-response',
      message: 'The agent\'s session list repeats the cursor "x", so it ends here',
    },
    seen: [info('a'), info('b'), info('c')],
  });
});

test('a relative folder is refused without a request', async () => {
  await using connected = await withPages(pages);
  const error = await failure(all(connected.agent.listSessions?.({ cwd: 'project' })));
  expect({ code: error.code, calls: connected.calls }).toEqual({ code: 'invalid-message', calls: [] });
});
