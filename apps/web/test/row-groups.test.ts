import { emptyTranscript, reduceAll, type TranscriptEvent } from '@turnwire/client/transcript';
import { expect, test } from 'vitest';
import { RowGroups } from '../src/transcript/row-groups.ts';

let count = 0;
/** A call of each kind, all of which succeeded. */
function calls(...kinds: readonly string[]): readonly TranscriptEvent[] {
  return kinds.map((kind) => {
    const toolCallId = String(count++);
    const update = { sessionUpdate: 'tool_call', toolCallId, title: kind, kind, status: 'completed' };
    return { at: 1, type: 'update', update } as TranscriptEvent;
  });
}
const message = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hm.' } };
const said = { at: 1, type: 'update', update: message } as TranscriptEvent;
const viewOf = (events: readonly TranscriptEvent[]) => reduceAll(emptyTranscript(), events).entries;
const hidden = (groups: RowGroups, from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, index) => from + index).filter(groups.isHidden);

test('an unfolded group stays unfolded when earlier entries extend it, and folds as a whole', () => {
  const few = new RowGroups(viewOf([...calls('read', 'search'), said, ...calls('read', 'read')]), 0, new Set());
  const unfolded = few.toggled(0);
  const all = viewOf([...calls('fetch', 'fetch', 'read', 'search'), said, ...calls('read', 'read')]);
  const more = new RowGroups(all, -2, unfolded);
  const folded = new RowGroups(all, -2, more.toggled(-2));
  expect({
    few: hidden(few, 0, 5),
    sizes: [-2, -1, 0, 2, 3].map((row) => more.beginningAt(row)?.length),
    more: hidden(more, -2, 5),
    folded: hidden(folded, -2, 5),
  }).toEqual({ few: [1, 4], sizes: [4, undefined, undefined, undefined, 2], more: [4], folded: [-1, 0, 1, 4] });
});
