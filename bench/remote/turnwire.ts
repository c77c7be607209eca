import { connectHttp, serveHttp } from '@turnwire/transports/http/node';
import { connectWebSocket, serveWebSockets } from '@turnwire/transports/websocket/node';
import { connectOver, serveOver } from '../wire/turnwire.ts';
import type { RemoteContender } from './remote-contender.ts';

/* Every option is left at its default but the number of connections. */
const options = { authorize: () => true, maxConnections: 20_000 };

export const turnwire: RemoteContender = {
  serve: (server, profile) => {
    if (profile === 'http') serveHttp(server, options, serveOver);
    else serveWebSockets(server, options, serveOver);
  },
  connect: (port, profile, onUpdate) =>
    connectOver(
      profile === 'http' ? connectHttp(`http://127.0.0.1:${port}/acp`) : connectWebSocket(`ws://127.0.0.1:${port}/acp`),
      onUpdate,
    ),
};
