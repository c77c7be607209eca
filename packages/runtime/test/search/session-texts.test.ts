import { expect, test } from 'vitest';
import type { SessionUpdate } from '@turnwire/protocol';
import type { LoggedEvent } from '../../src/log/session-event.ts';
import { SessionTexts } from '../../src/search/session-texts.ts';
import type { IndexedTexts, SessionClaim } from '../../src/store/session-store.ts';
import { longestPassage } from '../../src/texts/passage.ts';
import { session } from '../store/session-store-contract.ts';

function eventOf(sequence: number, update: SessionUpdate): LoggedEvent {
  const event = { at: 1, type: 'update', turnId: '1-1', update } as const;
  return { epoch: 1, sequence, event, payload: JSON.stringify(event) };
}

function said(sequence: number): LoggedEvent {
  const content = { type: 'text', text: `text ${sequence}` } as const;
  return eventOf(sequence, { sessionUpdate: 'agent_message_chunk', messageId: String(sequence), content });
}

/** Texts of a session with some stored events, and what the store received. */
function texts(
  title: string | null,
  head = 0,
  before = async (): Promise<void> => undefined,
): { readonly made: SessionTexts; readonly stored: IndexedTexts[] } {
  const stored: IndexedTexts[] = [];
  const record = session('one', { title });
  const start = { epoch: 0, sequence: 0 };
  const claim: SessionClaim = { record, epoch: 1, head: { epoch: 1, sequence: head }, indexedUpTo: start };
  const made = new SessionTexts({
    store: { index: async (_, each) => before().then(() => void stored.push(each)) },
    claim,
    record: { current: record },
    onFailed: async () => undefined,
  });
  return { made, stored };
}

test('a title of any length is indexed as one passage', async () => {
  const { made, stored } = texts('word '.repeat(500_000), 1);
  await made.catchUp({ pageAfter: async ({ sequence }) => (sequence < 1 ? [said(1)] : []) });
  await made.indexed;
  const titles = stored.flatMap(({ passages }) => passages.filter(({ kind }) => kind === 'title'));
  expect([titles.length, (titles[0]?.text.length ?? 0) <= longestPassage]).toEqual([1, true]);
});

test('a log of which nothing is indexed is read no faster than the store indexes it', async () => {
  const { made, stored } = texts(null, 96);
  const before: number[] = [];
  await made.catchUp({
    pageAfter: async ({ sequence }) => {
      before.push(stored.length);
      return sequence < 96 ? Array.from({ length: 32 }, (_, at) => said(sequence + at + 1)) : [];
    },
  });
  expect(before).toEqual([0, 1, 2, 3]);
});

test('a store that indexes slowly has a backlog until it has caught up', async () => {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { made } = texts(null, 0, () => released);
  const backlogs: boolean[] = [];
  let backlog: Promise<void> | undefined;
  for (let sequence = 1; sequence <= 6 * 32; sequence++) {
    made.add(said(sequence));
    if (sequence % 32 === 0) backlogs.push((backlog = made.backlog) !== undefined);
  }
  release();
  await backlog;
  expect([backlogs, made.backlog]).toEqual([[false, false, false, false, true, true], undefined]);
});

test('the text of a tool call whose input arrives in pieces is the last one, and is bounded', async () => {
  const { made, stored } = texts(null);
  const command = 'git log --oneline';
  for (let end = 1; end <= command.length; end++)
    made.add(
      eventOf(end, {
        ...{ sessionUpdate: 'tool_call_update', toolCallId: 'a', title: 'Run' },
        rawInput: { command: command.slice(0, end) },
      }),
    );
  for (let at = 0; at < 100; at++)
    made.add(
      eventOf(100 + at, { sessionUpdate: 'tool_call_update', toolCallId: 'b', title: `${at} ${'x'.repeat(3_000)}` }),
    );
  made.index();
  await made.indexed;
  const passages = stored.flatMap((each) => each.passages);
  const lengths = passages.slice(1).map(({ text }) => text.length);
  expect([passages[0]?.text, lengths.reduce((sum, each) => sum + each, 0) <= 4 * longestPassage]).toEqual([
    `Run\n${command}`,
    true,
  ]);
});
