import { expect, test } from 'vitest';
import { stopSentence } from '../src/transcript/stop-sentence.ts';

test('every end of a turn but the usual one is a sentence, with what to do where something can be done', () => {
  const reasons = ['end_turn', undefined, 'cancelled', 'max_tokens', 'max_turn_requests', 'refusal', '_tired'];
  expect([...reasons.map((reason) => stopSentence(reason, undefined)), stopSentence(undefined, 'No model.')]).toEqual([
    undefined,
    undefined,
    'The turn was cancelled.',
    'The answer reached the longest length the model may write. Ask it to go on.',
    'The agent has called its model as often as it may in a turn. Ask it to go on.',
    'The agent refuses to go on with this. What was said in this turn is not part of its next prompt: ask differently.',
    'The turn ended for a reason that this page does not know: _tired. Send another prompt to go on.',
    'The turn failed: No model.',
  ]);
});
