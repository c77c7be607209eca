import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on a free port of the loopback interface. It ends with its process. */
export async function listening(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1024 });
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}
