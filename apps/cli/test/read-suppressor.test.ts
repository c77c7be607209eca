import { expect, test } from 'vitest';
import { ReadSuppressor, suppressed } from '../src/output/read-suppressor.ts';

const update = (fields: object): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update: fields } });

test('our answer to a read is removed, and no other answer', () => {
  const suppressor = new ReadSuppressor();
  const request = '{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{"path":"/x"}}';
  expect([
    suppressor.frame(request),
    suppressor.frame('{"jsonrpc":"2.0","id":2,"result":{"content":"other"}}'),
    suppressor.frame('{"jsonrpc":"2.0","id":1,"result":{"content":"secret"}}'),
  ]).toEqual([
    request,
    '{"jsonrpc":"2.0","id":2,"result":{"content":"other"}}',
    `{"jsonrpc":"2.0","id":1,"result":{"content":"${suppressed}"}}`,
  ]);
});

test('the output of the agent’s own reads is removed, even if it arrives later', () => {
  const suppressor = new ReadSuppressor();
  const begun = update({ sessionUpdate: 'tool_call', toolCallId: 'a', kind: 'read', title: 'Read x' });
  expect(suppressor.frame(begun)).toBe(begun);
  const text = { type: 'content', content: { type: 'text', text: 'secret' } };
  const done = update({ sessionUpdate: 'tool_call_update', toolCallId: 'a', content: [text], rawOutput: 'secret' });
  const shown = suppressor.frame(done);
  expect([shown.includes('secret'), shown.split(suppressed).length - 1]).toEqual([false, 2]);
  const other = update({ sessionUpdate: 'tool_call_update', toolCallId: 'b', content: [text] });
  expect(suppressor.frame(other)).toBe(other);
});
