import { expect, test } from 'vitest';
import {
  errorFrame,
  notificationFrame,
  notificationHead,
  requestFrame,
  requestMiddle,
  resultFrame,
} from '../../src/json-rpc/frames.ts';

test('a frame is the same text as JSON.stringify makes of the whole message', () => {
  const params = { text: 'a"b\\c\n\r\u2028\u{1F600}\uD800', list: [1, null, undefined, { a: undefined }] };
  expect(notificationFrame(notificationHead('m'), params)).toBe(
    JSON.stringify({ jsonrpc: '2.0', method: 'm', params }),
  );
  expect(requestFrame(3, requestMiddle('m'), params)).toBe(
    JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'm', params }),
  );
  expect(resultFrame('1', params)).toBe(JSON.stringify({ jsonrpc: '2.0', id: '1', result: params }));
  expect(errorFrame(null, { code: 1, message: 'no', data: params })).toBe(
    JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: 1, message: 'no', data: params } }),
  );
});

test('an answer frame keeps the type and value of its id', () => {
  const ids = [0, -1, 1.5, '1', '', null, 'a"b'];
  expect(ids.map((id) => (JSON.parse(resultFrame(id, {})) as { id: unknown }).id)).toEqual(ids);
});

test('a frame holds no raw newline even if its method, id or params hold one', () => {
  expect(
    [
      notificationFrame(notificationHead('_a\nb'), 'c\nd'),
      requestFrame(0, requestMiddle('_a\r\nb'), { 'e\n': '\n' }),
      resultFrame('\n', '\n'),
    ].filter((frame) => /[\r\n]/.test(frame)),
  ).toEqual([]);
});

test('a value without a JSON form becomes {} as params and null as a result', () => {
  expect(notificationFrame(notificationHead('m'), undefined)).toBe('{"jsonrpc":"2.0","method":"m","params":{}}');
  expect(resultFrame(1, () => 1)).toBe('{"jsonrpc":"2.0","id":1,"result":null}');
});
