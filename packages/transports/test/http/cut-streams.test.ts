import { createServer, request as requestFrom, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { FrameAbout, Transport } from '@turnwire/protocol';
import { Recorder } from '@turnwire/transports/contract';
import { connectHttp } from '@turnwire/transports/http';
import { serveHttp } from '@turnwire/transports/http/node';
import { expect, onTestFinished, test } from 'vitest';

const initialize: FrameAbout = { kind: 'request', method: 'initialize', id: 0, sessionId: undefined };
const update: FrameAbout = { kind: 'notification', method: 'session/update', id: undefined, sessionId: 's' };
const ofSession: FrameAbout = { kind: 'request', method: 'session/prompt', id: 1, sessionId: 's' };

interface Connected {
  readonly url: string;
  readonly connectionId: string;
  /** The server's end. */
  readonly server: Transport;
  readonly client: Recorder;
  /** Ends the open event streams, abruptly or in order, as a proxy does. */
  readonly cut: (how: 'destroy' | 'end') => void;
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** A proxy that forwards requests and answers until it ends the streams. */
async function proxyTo(
  port: number,
): Promise<{ readonly port: number; readonly cut: Connected['cut']; readonly streams: Set<unknown> }> {
  const streams = new Set<(how: 'destroy' | 'end') => void>();
  const proxy = createServer((near, answer) => {
    const { method, url: path, headers } = near;
    const far = requestFrom({ port, method, path, headers }, (passed) => {
      answer.writeHead(passed.statusCode ?? 500, passed.headers).flushHeaders();
      passed.on('data', (bytes) => answer.write(bytes)).on('end', () => answer.end());
      if (method !== 'GET') return;
      const cut = (how: 'destroy' | 'end'): void => {
        passed.removeAllListeners('data').destroy();
        answer[how]();
      };
      streams.add(cut);
      answer.once('close', () => streams.delete(cut) && passed.destroy());
    });
    near.pipe(far.on('error', () => answer.destroy()));
  });
  return { port: await listening(proxy), streams, cut: (how) => streams.forEach((each) => each(how)) };
}

/** A client and a server, and one session. */
async function connected(maxKeptText?: number): Promise<Connected> {
  const http = createServer();
  const ends: Transport[] = [];
  const endpoint = serveHttp(http, { authorize: () => true, maxKeptText }, (transport) => {
    ends.push(transport);
    transport.start(new Recorder());
    void transport.send('{"id":0}', { ...initialize, kind: 'answer' });
  });
  const { port, cut, streams } = await proxyTo(await listening(http));
  let connectionId = '';
  const url = `http://127.0.0.1:${port}/acp`;
  const transport = connectHttp(url, {
    fetch: async (...request) => {
      const response = await fetch(...request);
      connectionId = response.headers.get('acp-connection-id') ?? connectionId;
      return response;
    },
  });
  onTestFinished(async () => {
    await transport.close();
    await endpoint.close();
  });
  const client = new Recorder();
  transport.start(client);
  void transport.send('{"id":0,"method":"initialize"}', initialize);
  await client.untilFrames(1);
  void transport.send('{"id":1}', ofSession);
  await expect.poll(() => streams.size).toBe(2);
  return {
    url,
    connectionId,
    server: ends[0] as Transport,
    client,
    cut,
  };
}

test.each(['destroy', 'end'] as const)(
  'a client whose streams end again and again receives every frame once, in order (%s)',
  async (how) => {
    const { server, client, cut } = await connected();
    const count = 400;
    for (let index = 0; index < count; index++) {
      await server.send(String(index), update);
      if (index % 57 === 20) cut(how);
      if (index % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    // The connection's own stream continues as well.
    void server.send('last', { ...initialize, kind: 'notification', method: '_last' });
    await client.untilFrames(count + 2);
    const { frames } = client;
    expect(frames.slice(1).filter((frame) => frame !== 'last')).toEqual(
      Array.from({ length: count }, (_, i) => String(i)),
    );
    expect({ last: frames.includes('last'), ended: client.ended }).toEqual({ last: true, ended: false });
  },
);

test('the connection of a client that was away for longer than the kept events ends', async () => {
  const { server, client, cut } = await connected(200);
  void server.send('first', update);
  await client.untilFrames(2);
  cut('destroy');
  for (let index = 0; index < 20; index++) void server.send('x'.repeat(50), update);
  await expect.poll(() => client.ended).toBe(true);
  expect(client.received.at(-1)).toEqual({
    end: expect.stringMatching(/^connection-closed: the event stream broke: /),
  });
});

test.each(['0', '2'])(
  'a stream is reopened after event %s, even if another request has it open',
  async (lastEventId) => {
    const { url, connectionId, server, client } = await connected();
    for (const frame of ['one', 'two', 'three']) void server.send(frame, update);
    await client.untilFrames(4);
    const abort = new AbortController();
    const headers = { 'acp-connection-id': connectionId, 'acp-session-id': 's', 'last-event-id': lastEventId };
    const response = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' }, signal: abort.signal });
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk as Uint8Array);
      if (text.includes('three')) break;
    }
    abort.abort();
    const events = ['id: 1\ndata: one\n\n', 'id: 2\ndata: two\n\n', 'id: 3\ndata: three\n\n'];
    expect(text).toBe(events.slice(Number(lastEventId)).join(''));
  },
);

test.each(['4', '-1', '1.5', '18446744073709551616', 'x'])(
  'reopening after event %s of three is refused',
  async (id) => {
    const { url, connectionId, server, client } = await connected();
    for (const frame of ['one', 'two', 'three']) void server.send(frame, update);
    await client.untilFrames(4);
    const headers = { 'acp-connection-id': connectionId, 'acp-session-id': 's', 'last-event-id': id };
    const response = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } });
    expect([response.status, await response.text(), client.ended]).toEqual([
      410,
      'The events after this one are no longer kept. Connect again and load the session.\n',
      false,
    ]);
  },
);

test('an event id opens no stream for a session without one', async () => {
  const { url, connectionId } = await connected();
  const headers = { 'acp-connection-id': connectionId, 'acp-session-id': 'other', 'last-event-id': '0' };
  const response = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } });
  expect(response.status).toBe(410);
});
