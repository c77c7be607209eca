import { emptyTranscript, reduceAll, type TranscriptEvent } from '@turnwire/client/transcript';
import { expect, test } from 'vitest';
import { soughtRow } from '../src/transcript/sought-row.ts';

const call = (title: string): TranscriptEvent => {
  const update = { sessionUpdate: 'tool_call', toolCallId: title, title, kind: 'read', status: 'completed' };
  return { at: 5, type: 'update', update } as TranscriptEvent;
};

test('of calls that began at the same time, the row is that of the found text, or else the first one', () => {
  const { entries } = reduceAll(emptyTranscript(), [call('Read a.ts'), call('Say "b"'), call('Read c.ts')]);
  const rows = ['Read c.ts', '…Say "b"', 'no such text'].map((text) =>
    soughtRow({ entries, firstRow: 10 }, { kind: 'call', at: 5, text }),
  );
  expect(rows).toEqual([12, 11, 10]);
});
