import { Agent, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { BenchClient, Contender } from '../wire/contender.ts';
import { floorAgent, floorClient, type FloorPeer, type Write } from '../wire/floor-peer.ts';
import type { RemoteContender } from './remote-contender.ts';
import { WebSocket, WebSocketServer } from 'ws';

type OnUpdate = Parameters<Contender['connect']>[1];

/** With more buffered text than this, a sender waits for the other side. */
const full = 1024 * 1024;

/** Bare `ws`: each message is one text. */
function writeTo(socket: WebSocket): Write {
  return (text) => {
    socket.send(text);
    return socket.bufferedAmount > full ? room(socket) : undefined;
  };
}

async function room(socket: WebSocket): Promise<void> {
  while (socket.bufferedAmount > full / 2) await new Promise((resolve) => setTimeout(resolve, 1));
}

function readFrom(socket: WebSocket, peer: FloorPeer): void {
  socket.on('message', (text: Buffer) => peer.receive(text.toString()));
}

function serveWebSockets(server: Server): void {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket) => readFrom(socket, floorAgent(writeTo(socket))));
}

function connectWebSocket(port: number, onUpdate: OnUpdate): BenchClient {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`, { perMessageDeflate: false });
  const opened = new Promise((resolve) => socket.once('open', resolve));
  const { client, peer } = floorClient(writeTo(socket), onUpdate);
  readFrom(socket, peer);
  return { ...client, initialize: () => opened.then(() => client.initialize()) };
}

/** Bare `http`: one stream of events for everything the agent sends, a POST for each message of the client. One client only. */
function serveHttp(server: Server): void {
  let stream: ServerResponse | undefined;
  const peer = floorAgent((text) => {
    if (stream === undefined) throw new Error('the client has opened no stream');
    const out = stream;
    if (out.write(`data: ${text}\n\n`)) return undefined;
    return new Promise((resolve) => out.once('drain', resolve));
  });
  server.on('request', (incoming, response) => {
    if (incoming.method === 'GET') {
      stream = response;
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    }
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => void pieces.push(piece));
    incoming.on('end', () => {
      response.writeHead(202).end();
      peer.receive(Buffer.concat(pieces).toString());
    });
  });
}

function connectHttp(port: number, onUpdate: OnUpdate): BenchClient {
  const agent = new Agent({ keepAlive: true });
  const post: Write = (text) => {
    const outgoing = request({ port, host: '127.0.0.1', path: '/acp', method: 'POST', agent });
    outgoing.on('response', (response) => response.resume());
    outgoing.end(text);
    return undefined;
  };
  const { client, peer } = floorClient(post, onUpdate);
  const opened = new Promise((resolve) => {
    const outgoing = request({ port, host: '127.0.0.1', path: '/acp', agent: false });
    outgoing.on('response', (response) => resolve(readEvents(response, peer)));
    outgoing.end();
  });
  return { ...client, initialize: () => opened.then(() => client.initialize()) };
}

function readEvents(response: IncomingMessage, peer: FloorPeer): void {
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    const text = rest + piece;
    let start = 0;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n', start)) {
      peer.receive(text.slice(start + 'data: '.length, end));
      start = end + 2;
    }
    rest = text.slice(start);
  });
}

export const floor: RemoteContender = {
  serve: (server, profile) => (profile === 'http' ? serveHttp(server) : serveWebSockets(server)),
  connect: (port, profile, onUpdate) =>
    profile === 'http' ? connectHttp(port, onUpdate) : connectWebSocket(port, onUpdate),
};
