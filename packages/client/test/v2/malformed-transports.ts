import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Transport } from '@turnwire/protocol';
import { connectHttp } from '@turnwire/transports/http';
import { memoryPair } from '@turnwire/transports/memory';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { WebSocketServer } from 'ws';

/** A client's transport, and the agent at its other end, which writes texts as they are. */
interface RawAgentEnd {
  readonly transport: Transport;
  readonly send: (text: string) => unknown;
  close(): void;
}

/** Connects a client with an agent that receives every message as a text. */
type ReachRawAgent = (received: (text: string) => void) => Promise<RawAgentEnd>;

export const rawAgentEnds: Readonly<Record<string, ReachRawAgent>> = {
  memory: async (received) => {
    const [transport, theirs] = memoryPair();
    theirs.start({ frame: (text) => void received(text), warning: () => undefined, end: () => undefined });
    return { transport, send: (text) => theirs.send(text), close: () => undefined };
  },
  'a WebSocket': async (received) => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    server.on('connection', (socket) => socket.on('message', (data: Buffer) => received(data.toString())));
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      transport: connectWebSocket(`ws://127.0.0.1:${port}/`),
      send: (text) => server.clients.forEach((socket) => socket.send(text)),
      close: () => {
        for (const socket of server.clients) socket.terminate();
        server.close();
      },
    };
  },
  HTTP: async (received) => {
    /** The request with `initialize`, until it is answered. */
    let first: ServerResponse | undefined;
    /** The event stream of the connection. */
    let events: ServerResponse | undefined;
    const server = createServer((request, response) => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        if (request.headers['acp-session-id'] === undefined) events = response;
        return;
      }
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        if (request.headers['acp-connection-id'] === undefined) first = response;
        else response.writeHead(202).end();
        if (request.method === 'POST') received(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      transport: connectHttp(`http://127.0.0.1:${port}/`),
      send: (text) => {
        if (first === undefined) return events?.write(`data: ${text}\n\n`);
        first.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'c' }).end(text);
        first = undefined;
        return undefined;
      },
      close: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  },
};
