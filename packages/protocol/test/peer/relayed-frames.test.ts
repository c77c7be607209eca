import { type FrameAbout, RelayedFrames } from '@turnwire/protocol';
import { expect, test } from 'vitest';

test('relayed frames are described by kind, method, id and session, as a peer describes its own frames', () => {
  const frames = new RelayedFrames();
  const seen = (
    [
      ['client', '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}'],
      ['agent', '{"jsonrpc":"2.0","id":0,"result":{}}'],
      ['client', '{"jsonrpc":"2.0","id":"0","method":"session/prompt","params":{"sessionId":"s"}}'],
      ['agent', '{"jsonrpc":"2.0","id":0,"method":"fs/read_text_file","params":{"sessionId":"s"}}'],
      ['client', '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"0"}}'],
      ['agent', '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s"}}'],
      ['client', '{"jsonrpc":"2.0","id":0,"result":{"content":""}}'],
      ['agent', '{"jsonrpc":"2.0","id":"0","error":{"code":-32800,"message":""}}'],
      ['agent', '{"jsonrpc":"2.0","id":"0","result":{}}'],
    ] as const
  ).map(([from, frame]) => {
    const { message, ...about } = frames.read(from, frame);
    return [about, message] as const;
  });
  const about = (
    kind: FrameAbout['kind'],
    id?: FrameAbout['id'],
    method?: string,
    sessionId?: string,
  ): Omit<FrameAbout, 'message'> => ({ kind, method, id, sessionId });
  expect(seen.map(([each]) => each)).toEqual([
    about('request', 0, 'initialize'),
    about('answer', 0, 'initialize'),
    about('request', '0', 'session/prompt', 's'),
    about('request', 0, 'fs/read_text_file', 's'),
    about('notification', undefined, '$/cancel_request', 's'),
    about('notification', undefined, 'session/update', 's'),
    about('answer', 0, 'fs/read_text_file', 's'),
    about('answer', '0', 'session/prompt', 's'),
    about('answer', '0'),
  ]);
  expect(seen[1]?.[1]).toEqual({ jsonrpc: '2.0', id: 0, result: {} });
});

test.each(['', '{', '[]', '[{"id":1}]', '"text"', '7', 'null', '{"jsonrpc":"2.0","id":{},"method":"x"}'])(
  '%j is not a message and is described with the id null and without a session',
  (frame) => {
    expect(new RelayedFrames().read('client', frame)).toMatchObject({ id: null, sessionId: undefined });
  },
);

test('the oldest of more than 10,000 unanswered requests is forgotten', () => {
  const frames = new RelayedFrames();
  for (let id = 0; id <= 10_000; id += 1)
    frames.read('client', JSON.stringify({ id, method: 'm', params: { sessionId: 's' } }));
  const sessions = [0, 1, 10_000].map((id) => frames.read('agent', JSON.stringify({ id, result: {} })).sessionId);
  expect(sessions).toEqual([undefined, 's', 's']);
});
