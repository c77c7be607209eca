import { expect, test } from 'vitest';
import { messageHead } from '../../src/json-rpc/message-head.ts';

test.each([
  ['{"jsonrpc":"2.0","id":7,"method":"fs/write_text_file","params":{"se', { id: 7, like: 'request' }],
  ['{"jsonrpc":"2.0","id":"a\\"b","method":"fs/wri', { id: 'a"b', like: 'request' }],
  [' { "id" : 0 , "jsonrpc" : "2.0" , "method" : "x" , "params" : [', { id: 0, like: 'request' }],
  ['{"jsonrpc":"2.0","method":"session/update","params":{"id":5,"upd', { id: null, like: 'notification' }],
  ['{"jsonrpc":"2.0","id":3,"result":{"id":4', { id: 3, like: 'answer' }],
  ['{"jsonrpc":"2.0","id":null,"error":{"code"', { id: null, like: 'answer' }],
  ['{"jsonrpc":"2.0","id":12', undefined],
  ['{"jsonrpc":"2.0","result":{"a"', undefined],
  ['{"jsonrpc":"2.0","params":{"id":1,"method":"x"', undefined],
  ['[{"id":1,"method":"x"', undefined],
  ['xxxxxxxxxxxx', undefined],
  ['', undefined],
])('reading the beginning %j of a message gives the head %j', (beginning, head) => {
  expect(messageHead(beginning)).toEqual(head);
});
