import { Recorder } from '@turnwire/transports/contract';
import { webStreamTransport } from '@turnwire/transports/web-streams';
import { expect, test } from 'vitest';

/** A stream that records its chunks. A slow one finishes its writes when a test calls `finish`. It counts chunks, as streams of Node do. */
function outputOf({ isSlow = false } = {}) {
  const written: string[] = [];
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const decoder = new TextDecoder();
  const write = (bytes: Uint8Array): Promise<void> | undefined => {
    written.push(decoder.decode(bytes));
    return isSlow ? finished : undefined;
  };
  const writable = new WritableStream<Uint8Array>({ write }, { highWaterMark: 1000 });
  return { writable, written, finish };
}

const silence = () => new ReadableStream<Uint8Array>();

test('sends that are awaited one by one leave in one write', async () => {
  const { writable, written } = outputOf();
  const transport = webStreamTransport({ readable: silence(), writable });
  for (const frame of ['{"a":1}', '{"b":2}', '{"c":3}']) await transport.send(frame);
  await transport.close();
  expect(written).toEqual(['{"a":1}\n{"b":2}\n{"c":3}\n']);
});

test('a sender waits for a stream that does not take its bytes, and continues when it does', async () => {
  const { writable, finish } = outputOf({ isSlow: true });
  const transport = webStreamTransport({ readable: silence(), writable });
  const frame = JSON.stringify({ text: 'x'.repeat(70_000) });
  void transport.send(frame);
  const waiting = transport.send('{}');
  expect(waiting).toBeInstanceOf(Promise);
  finish();
  await waiting;
  expect(transport.send('{}')).toBeUndefined();
});

test('a stream that is kept open can be written and closed by the program', async () => {
  const { writable, written } = outputOf();
  const transport = webStreamTransport({ readable: silence(), writable, keepOpen: true });
  void transport.send('{"a":1}');
  await transport.close();
  const writer = writable.getWriter();
  await writer.write(new TextEncoder().encode('bye'));
  await writer.close();
  expect(written).toEqual(['{"a":1}\n', 'bye']);
});

test('the end of a stream that was kept open is reported at the next write', async () => {
  const { writable } = outputOf();
  const recorder = new Recorder();
  const transport = webStreamTransport({ readable: silence(), writable, keepOpen: true, flushTimeout: 1 });
  transport.start(recorder);
  await writable.abort(new Error('no disk'));
  void transport.send('{}');
  await recorder.untilEnd();
  expect(recorder.received).toEqual([{ end: 'connection-closed: writing to the peer failed: no disk' }]);
});
