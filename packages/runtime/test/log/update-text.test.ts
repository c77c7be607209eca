import { expect, test } from 'vitest';
import { updateText } from '../../src/log/session-event.ts';
import type { SessionEvent } from '@turnwire/client/gateway';

const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'a "}} b' } } as const;
const by = { connection: '1', client: 'test' };

test('the text of an update is exactly the stored update, without other fields of its event', () => {
  const events: readonly (SessionEvent & { readonly type: 'update' })[] = [
    { at: 1, type: 'update', update },
    { at: 1, type: 'update', update, isReplay: true },
    { at: 1, type: 'update', update, isReplay: false },
    { at: 1, type: 'update', update, by },
  ];
  const written = events.map((event) => updateText(event, JSON.stringify(event)));
  expect(written).toEqual(events.map(() => JSON.stringify(update)));
  // As another version may have stored it, and as a database returns it that changes spaces.
  const [first] = events as readonly [SessionEvent & { readonly type: 'update' }];
  expect(updateText(first, JSON.stringify({ type: 'update', at: 1, update }))).toBe(JSON.stringify(update));
  expect(updateText(first, JSON.stringify(first, undefined, 1))).toBe(JSON.stringify(update));
});
