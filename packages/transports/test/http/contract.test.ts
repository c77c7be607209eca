import type { FrameAbout, Transport } from '@turnwire/protocol';
import { type Opened, Recorder, runFarEnd, transportContract } from '@turnwire/transports/contract';
import { connectHttp } from '@turnwire/transports/http';
import { serveHttp } from '@turnwire/transports/http/node';
import { describe, expect, test } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { afterFirst } from '../after-first.ts';
import { listeningServer, type ListeningServer } from '../websocket/http-server.ts';

const request: FrameAbout = { kind: 'request', method: 'initialize', id: 'hello', sessionId: undefined };
const answer: FrameAbout = { ...request, kind: 'answer' };

/** Over HTTP these cannot be: batches and a second `initialize` are refused, and every frame is a request, so that tens of thousands take minutes. */
const impossible =
  /almost nothing|one frame there|many frames in order|both directions at once|loop of awaited sends|queued before it closes/;
const cases = transportContract({ halfClose: false }).filter(({ name }) => !impossible.test(name));

/** Opens a connection, initialized, whose other end runs `runFarEnd`. */
async function opened({ server, port }: ListeningServer): Promise<Opened> {
  let farEnd: Promise<number> | undefined;
  let far: Transport | undefined;
  serveHttp(server, { authorize: () => true }, (transport) => {
    far = transport;
    const hello = (): void => void transport.send('{"jsonrpc":"2.0","id":"hello","result":{}}', answer);
    farEnd = runFarEnd(afterFirst(transport, hello));
  });
  const near = connectHttp(`http://127.0.0.1:${port}/acp`, { flushTimeout: within(20_000) });
  void near.send('{"jsonrpc":"2.0","id":"hello","method":"initialize"}', request);
  while (farEnd === undefined) await new Promise((resolve) => setTimeout(resolve, 2));
  return { near: afterFirst(near, () => undefined), farEnd, dispose: async () => far?.[Symbol.asyncDispose]() };
}

describe('a connection from connectHttp to serveHttp', () => {
  test.each(cases)('$name', async ({ run }) => {
    await using own = await listeningServer();
    await expect(run(() => opened(own))).resolves.toBeUndefined();
  });

  test('carries frames there and back in order, both ways at once', async () => {
    await using own = await listeningServer();
    const { near, dispose } = await opened(own);
    const recorder = new Recorder();
    near.start(recorder);
    void near.send('{"do":"burst","count":300,"size":500}');
    const frames = Array.from({ length: 300 }, (_, index) => JSON.stringify({ jsonrpc: '2.0', id: index }));
    for (const frame of frames) await near.send(frame);
    await recorder.untilFrames(600);
    expect(recorder.frames.filter((frame) => frame.includes('jsonrpc'))).toEqual(frames);
    expect(recorder.frames.filter((frame) => frame.includes('"text"'))).toHaveLength(300);
    await near.close();
    await dispose();
  });

  test('writes out everything that is queued before it closes', async () => {
    await using own = await listeningServer();
    const { near, farEnd, dispose } = await opened(own);
    near.start(new Recorder());
    for (let count = 0; count < 300; count += 1) void near.send(`{"count":${count}}`);
    await near.close();
    expect(await farEnd).toBe(300);
    await dispose();
  });
});
