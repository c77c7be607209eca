import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import { createNodeHttpHandler } from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { connectHttp } from '@turnwire/transports/http';
import { bearerToken, serveHttp } from '@turnwire/transports/http/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveAgent } from '../src/index.ts';
import {
  officialDefinition,
  ourDefinition,
  type Seen,
  wholeTurns,
  withOfficialClient,
  withOurClient,
} from './remote-pairings.ts';

const headers = { authorization: 'Bearer secret' };
let server: Server;
let url = '';

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function serveOurs(): void {
  const definition = ourDefinition();
  serveHttp(server, { authorize: bearerToken('secret') }, (transport) => serveAgent(definition, { transport }));
}

function serveOfficial(): void {
  server.on('request', createNodeHttpHandler(new AcpServer({ agent: officialDefinition() })));
}

function driveOurs(): Promise<Seen> {
  return withOurClient(() => connectHttp(url, { headers }));
}

/** The official server does not guarantee that the replay precedes the answer. */
function driveOursLate(): Promise<Seen> {
  return withOurClient(() => connectHttp(url, { headers }), false);
}

function driveOfficial(): Promise<Seen> {
  return withOfficialClient(() => createHttpStream(url, { headers }));
}

test.each([
  ['our client', 'our agent', serveOurs, driveOurs],
  ['our client', 'the official server', serveOfficial, driveOursLate],
  ['the official client', 'our agent', serveOurs, driveOfficial],
  ['the official client', 'the official server', serveOfficial, driveOfficial],
])('%s and %s go through turns, a permission, a cancel and a replay', async (_client, _agent, serve, drive) => {
  serve();
  expect(await drive()).toEqual(wholeTurns);
});
