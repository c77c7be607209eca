import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { FrameAbout, Transport } from '@turnwire/protocol';
import { serveHttp } from '@turnwire/transports/http/node';
import { expect, onTestFinished, test } from 'vitest';
import { listeningServer } from '../websocket/http-server.ts';

const mebibyte = 1024 * 1024;

function about(sessionId: string): FrameAbout {
  return { kind: 'notification', method: 'session/update', id: undefined, sessionId };
}

/** Opens a stream without reading it. */
async function opened(port: number, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const asked = request({ port, path: '/acp', headers: { accept: 'text/event-stream', ...headers }, agent: false });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  onTestFinished(() => void response.destroy());
  return response;
}

async function connected(): Promise<{ readonly port: number; readonly transport: Transport; readonly id: string }> {
  const { server, port, ...listening } = await listeningServer();
  onTestFinished(() => listening[Symbol.asyncDispose]());
  const transports: Transport[] = [];
  const endpoint = serveHttp(server, { authorize: () => true }, (transport) => {
    transports.push(transport);
    transport.start({ frame: () => undefined, warning: () => undefined, end: () => undefined });
    void transport.send('{"id":0}', { kind: 'answer', method: 'initialize', id: 0, sessionId: undefined });
  });
  onTestFinished(() => endpoint.close());
  const body = '{"id":0,"method":"initialize"}';
  const { headers } = await fetch(`http://127.0.0.1:${port}/acp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const [transport] = transports;
  if (transport === undefined) throw new Error('no connection was made');
  return { port, transport, id: headers.get('acp-connection-id') ?? '' };
}

test('an unread session delays no other session, and costs bounded memory', async () => {
  const { port, transport, id } = await connected();
  await opened(port, { 'acp-connection-id': id, 'acp-session-id': 'unread' });
  const read = await opened(port, { 'acp-connection-id': id, 'acp-session-id': 'read' });
  const frame = JSON.stringify({ text: 'x'.repeat(64 * 1024) });
  let taken = 0;
  const flood = async (): Promise<void> => {
    // 256 MiB would be sent if nothing made the sender wait.
    for (; taken < 4_096; taken += 1) await transport.send(frame, about('unread'));
  };
  void flood();
  let arrived = 0;
  read.on('data', (bytes: Buffer) => void (arrived += bytes.length));
  for (let sent = 0; sent < 1_000; sent += 1) await transport.send(frame, about('read'));
  await expect.poll(() => arrived).toBeGreaterThan(1_000 * frame.length);
  // Includes the bytes that the operating system buffers for an absent reader.
  expect(taken * frame.length).toBeLessThan(16 * mebibyte);
});
