import type { SessionUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { OpenCalls } from '../src/session/open-calls.ts';

test('a field that an update sets to null is stored as it was before', () => {
  const stored: SessionUpdate[] = [];
  const calls = new OpenCalls((update) => void stored.push(update));
  const content = [{ type: 'content', content: { type: 'text', text: 'half done' } }] as const;
  calls.change({ toolCallId: 'one', status: 'in_progress', content, title: 'Count' });
  calls.change({ toolCallId: 'one', status: 'completed', content: null, title: null, rawOutput: 3 });
  expect(stored).toEqual([
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'one',
      status: 'completed',
      title: 'Count',
      content,
      rawOutput: 3,
    },
  ]);
});
