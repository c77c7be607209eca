import { describe, expect, test } from 'vitest';
import { missingFrom, type Said, transcriptOf } from '../src/agent/pieces/transcript.ts';
import { Journal } from '../src/wire/journal.ts';

function journalOf(...chunks: readonly (readonly [kind: string, text: string, sessionId?: string])[]): Journal {
  const journal = new Journal();
  for (const [sessionUpdate, text, sessionId = 's'] of chunks) {
    const update = { sessionUpdate, content: { type: 'text', text } };
    journal.add('agent', JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } }));
  }
  return journal;
}

const user = (text: string): Said => ({ by: 'user', text });
const agent = (text: string): Said => ({ by: 'agent', text });

test('a transcript is who said what in one session, pieces put together', () => {
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

describe('of a conversation is missing', () => {
  const conversation = [user('one'), agent('first'), user('two'), agent('second')];

  test.each<[string, readonly Said[], Said | undefined]>([
    ['nothing, if it is there', conversation, undefined],
    [
      'nothing, if there is more',
      [user('one, please'), agent('first.'), user('two'), agent('second'), user('three')],
      undefined,
    ],
    ['what is not there', [user('one'), user('two'), agent('second')], agent('first')],
    ['what comes too early', [user('two'), agent('second'), user('one'), agent('first')], user('two')],
    ['everything, if nothing is there', [], user('one')],
  ])('%s', (_, transcript, missing) => {
    expect(missingFrom(transcript, conversation)).toEqual(missing);
  });

  test('nothing, if two things of one speaker were put together', () => {
    expect(missingFrom([user('one two')], [user('one'), user('two')])).toBe(undefined);
  });
});
