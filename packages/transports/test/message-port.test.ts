import { MessageChannel } from 'node:worker_threads';
import { Recorder } from '@turnwire/transports/contract';
import { messagePortTransport } from '@turnwire/transports/message-port';
import { expect, test } from 'vitest';

test('a message that is not text is reported and does not end the connection', async () => {
  const { port1, port2 } = new MessageChannel();
  const recorder = new Recorder();
  messagePortTransport(port1).start(recorder);
  port2.postMessage({ jsonrpc: '2.0' });
  port2.postMessage('{"a":1}');
  await recorder.untilFrames(1);
  port2.close();
  await recorder.untilEnd();
  expect(recorder.received).toEqual([
    { warning: { kind: 'noise', bytes: 0, excerpt: 'a message of type object' } },
    { frame: '{"a":1}' },
    { end: 'connection-closed: the port was closed' },
  ]);
});

test('a waiting sender is released when the port is closed', async () => {
  const { port1, port2 } = new MessageChannel();
  const transport = messagePortTransport(port1, { maxText: 10 });
  transport.start(new Recorder());
  const room = transport.send('x'.repeat(11));
  port2.close();
  expect(await room).toBeUndefined();
});
