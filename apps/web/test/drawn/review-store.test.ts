import { expect, onTestFinished, test, vi } from 'vitest';
import { ReviewStore } from '../../src/review/review-store.ts';
import type { SessionStore } from '../../src/state/session-store.ts';

test('a comment that the server has added counts as added, even if the review cannot be loaded after it', async () => {
  vi.stubGlobal('document', { hidden: true });
  onTestFinished(() => void vi.unstubAllGlobals());
  const asked: string[] = [];
  const remote = {
    ask: async (method: string) => {
      asked.push(method);
      if (method === '_turnwire/review') throw new Error('the folder is busy');
      return {};
    },
  };
  const store = new ReviewStore({ remote } as unknown as SessionStore);
  const isAdded = await store.comment({ path: 'a.ts', lines: [1, 1], text: 'why?' });
  expect({ isAdded, asked, failure: store.state.current.failure }).toEqual({
    isAdded: true,
    asked: ['_turnwire/review_comment', '_turnwire/review'],
    failure: 'the folder is busy',
  });
});
