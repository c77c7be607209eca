import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { connectAgent, protocolVersion, type Transport } from '@turnwire/protocol';
import { type SessionUpdate, v2 } from '@turnwire/protocol/v2';
import { connectHttp } from '@turnwire/transports/http';
import { type EndpointRequest, serveHttp } from '@turnwire/transports/http/node';
import { connectWebSocket, serveWebSockets } from '@turnwire/transports/websocket/node';
import { type AgentSubject, remoteSubject } from '../../src/agent/agent-subject.ts';

/** Faults of a server: changes requests and answers before and after the endpoint processes them. */
export interface ServerDefect {
  /** @returns whether it has answered the request itself */
  readonly request?: (request: IncomingMessage, response: ServerResponse) => boolean | undefined;
  readonly upgrade?: (wire: Duplex) => void;
}

/** An agent behind its own server. */
export interface RemoteAgent extends AsyncDisposable {
  readonly subject: AgentSubject;
}

function accept(transport: Transport): void {
  const peer = connectAgent(transport, {
    initialize: () => ({ protocolVersion, agentCapabilities: {} }),
    'session/new': () => ({ sessionId: 'any' }),
    'session/prompt': async ({ sessionId }) => {
      const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Here.' } } as const;
      await peer.notify('session/update', { sessionId, update });
      return { stopReason: 'end_turn' };
    },
  });
}

/** The same in version 2. */
export function acceptVersion2(transport: Transport): void {
  const info = { name: 'remote', version: '1.0.0' };
  const peer = connectAgent(
    transport,
    {
      initialize: () => ({ protocolVersion: 2, info, capabilities: { session: {} } }),
      'session/new': () => ({ sessionId: 'any' }),
      'session/prompt': async ({ sessionId, prompt }) => {
        const send = (update: SessionUpdate): Promise<void> => peer.notify('session/update', { sessionId, update });
        await send({ sessionUpdate: 'user_message', messageId: 'question', content: prompt });
        await send({ sessionUpdate: 'state_update', state: 'running' });
        await send({ sessionUpdate: 'agent_message', messageId: 'answer', content: [{ type: 'text', text: 'Here.' }] });
        await send({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
        return { messageId: 'question' };
      },
    },
    { edition: v2 },
  );
}

/** A conforming agent over HTTP or a WebSocket, unless it has a defect. */
export async function remoteAgent(
  profile: 'http' | 'websocket',
  defect: ServerDefect = {},
  serve: (transport: Transport) => void = accept,
): Promise<RemoteAgent> {
  const server = createServer();
  const rules = { authorize: ({ headers }: EndpointRequest) => headers['authorization'] === 'Bearer secret' };
  const endpoint = profile === 'http' ? serveHttp(server, rules, serve) : serveWebSockets(server, rules, serve);
  const name = profile === 'http' ? 'request' : 'upgrade';
  const [listener] = server.listeners(name) as ((...given: unknown[]) => void)[];
  server.removeAllListeners(name);
  server.on(name, (request: IncomingMessage, other: ServerResponse & Duplex, head: unknown) => {
    if (profile === 'websocket') defect.upgrade?.(other);
    else if (defect.request?.(request, other) === true) return;
    listener?.call(server, request, other, head);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `${profile === 'http' ? 'http' : 'ws'}://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
  const headers = { authorization: 'Bearer secret' };
  const connect = profile === 'http' ? connectHttp : connectWebSocket;
  return {
    subject: remoteSubject({ url, headers }, () => connect(url, { headers })),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await endpoint.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
