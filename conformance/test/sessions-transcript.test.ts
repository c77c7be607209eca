import { describe, expect, test } from 'vitest';
import { missingFrom, type TranscriptMessage, transcriptOf } from '../src/agent/fixtures/transcript.ts';
import { Journal } from '../src/wire/journal.ts';

function journalOf(...chunks: readonly (readonly [kind: string, text: string, sessionId?: string])[]): Journal {
  const journal = new Journal();
  for (const [sessionUpdate, text, sessionId = 's'] of chunks) {
    const update = { sessionUpdate, content: { type: 'text', text } };
    journal.add('agent', JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } }));
  }
  return journal;
}

const user = (text: string): TranscriptMessage => ({ by: 'user', text });
const agent = (text: string): TranscriptMessage => ({ by: 'agent', text });

test('a transcript has the joined messages of one session in order', () => {
  const { entries } = journalOf(
    ['user_message_chunk', 'do\n'],
    ['user_message_chunk', 'it'],
    ['agent_thought_chunk', 'how?'],
    ['agent_message_chunk', 'do'],
    ['agent_message_chunk', 'ne', 's'],
    ['agent_message_chunk', 'not mine', 'other'],
  );
  expect(transcriptOf(entries, 's')).toEqual([user('do it'), agent('done')]);
});

describe('the first missing message of a conversation is', () => {
  const conversation = [user('one'), agent('first'), user('two'), agent('second')];

  test.each<[string, readonly TranscriptMessage[], TranscriptMessage | undefined]>([
    ['none if all are there', conversation, undefined],
    [
      'none if there are more',
      [user('one, please'), agent('first.'), user('two'), agent('second'), user('three')],
      undefined,
    ],
    ['the one that is not there', [user('one'), user('two'), agent('second')], agent('first')],
    ['the one that comes too early', [user('two'), agent('second'), user('one'), agent('first')], user('two')],
    ['the first of an empty transcript', [], user('one')],
  ])('%s', (_, transcript, missing) => {
    expect(missingFrom(transcript, conversation)).toEqual(missing);
  });

  test('none if two messages of one speaker were joined', () => {
    expect(missingFrom([user('one two')], [user('one'), user('two')])).toBe(undefined);
  });
});
