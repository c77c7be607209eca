import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connectAgent, connectClient, type Peer, protocolVersion, type TransportWarning } from '@turnwire/protocol';
import { connectHttp } from '@turnwire/transports/http';
import { connectHttp as connectNodeHttp, serveHttp } from '@turnwire/transports/http/node';
import { expect, onTestFinished, test } from 'vitest';
import { testCertificate } from '../../../../tools/test-certificate.ts';

/** Connects a client to an agent over HTTP, whose new session has this id. Also returns the warnings of the client. */
async function connected(sessionId: string, how: 'fetch' | 'HTTP/1.1' | 'HTTP/2' = 'fetch') {
  const certificate = how === 'HTTP/2' ? testCertificate() : undefined;
  const server = certificate ? createSecureServer(certificate) : createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const received = { updates: [] as string[], cancels: [] as string[], warnings: [] as TransportWarning[] };
  const endpoint = serveHttp(server, { authorize: () => true }, (transport) => {
    connectAgent(transport, {
      initialize: () => ({ protocolVersion }),
      'session/new': () => ({ sessionId }),
      'session/prompt': async (params, { peer }) => {
        const content = { type: 'text', text: 'hello' } as const;
        await peer.notify('session/update', {
          sessionId: params.sessionId,
          update: { sessionUpdate: 'agent_message_chunk', content },
        });
        return { stopReason: 'end_turn' };
      },
      'session/cancel': (params) => void received.cancels.push(params.sessionId),
    });
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
  const transport =
    how === 'fetch'
      ? connectHttp(`http://${address}`)
      : connectNodeHttp(`http${certificate ? 's' : ''}://${address}`, { ca: certificate?.cert });
  const client = connectClient(
    {
      start: (receiver) =>
        transport.start({
          frame: (text, about) => receiver.frame(text, about),
          warning: (warning) => void received.warnings.push(warning),
          end: (reason) => receiver.end(reason),
        }),
      send: (text, about) => transport.send(text, about),
      close: () => transport.close(),
      [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
    },
    { 'session/update': (params) => void received.updates.push(params.sessionId) },
  );
  onTestFinished(async () => {
    await transport.close();
    await endpoint.close();
    server.close();
  });
  await client.request('initialize', { protocolVersion, clientCapabilities: {} });
  await client.request('session/new', { cwd: '/', mcpServers: [] });
  return { client, received };
}

const prompt = (peer: Peer<'client'>, sessionId: string): Promise<unknown> =>
  peer.request('session/prompt', { sessionId, prompt: [] });

test.each([
  ['my session', 'fetch'],
  ['a  b', 'fetch'],
  ['straße', 'fetch'],
  ['my session', 'HTTP/1.1'],
  ['straße', 'HTTP/1.1'],
  ['my session', 'HTTP/2'],
  ['straße', 'HTTP/2'],
] as const)('a session with the id %j is used over %s', async (sessionId, how) => {
  const { client, received } = await connected(sessionId, how);
  await client.notify('session/cancel', { sessionId });
  expect(await prompt(client, sessionId)).toEqual({ stopReason: 'end_turn' });
  await expect.poll(() => received).toEqual({ updates: [sessionId], cancels: [sessionId], warnings: [] });
});

test.each(['会議', ' padded ', 'two\nlines', ''])(
  'requests of a session with the id %j, which no header can contain, are answered with an error, and the connection continues',
  async (sessionId) => {
    const { client, received } = await connected(sessionId);
    const message = `the session id ${JSON.stringify(sessionId)} cannot be sent over HTTP: the header Acp-Session-Id contains only characters of Latin 1, and neither control characters nor spaces at its ends`;
    await client.notify('session/cancel', { sessionId });
    await expect(prompt(client, sessionId)).rejects.toMatchObject({ code: -32602, message });
    expect(await prompt(client, 'other')).toEqual({ stopReason: 'end_turn' });
    expect(received).toEqual({
      updates: ['other'],
      cancels: [],
      warnings: [{ kind: 'refused', bytes: 0, excerpt: message }],
    });
  },
);
