import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { createWebSocketStream, type WebSocketConstructor } from '@agentclientprotocol/sdk/experimental/ws-client';
import { WebSocket, WebSocketServer } from 'ws';
import { connectOver, scriptedAgent } from '../wire/official.ts';
import type { RemoteContender } from './remote-contender.ts';

const constructor = WebSocket as unknown as WebSocketConstructor;

export const official: RemoteContender = {
  serve: (server, profile) => {
    const acp = new AcpServer({ agent: scriptedAgent() });
    if (profile === 'http') server.on('request', createNodeHttpHandler(acp));
    else server.on('upgrade', createNodeWebSocketUpgradeHandler(acp, new WebSocketServer({ noServer: true })));
  },
  connect: (port, profile, onUpdate) =>
    connectOver(
      profile === 'http'
        ? createHttpStream(`http://127.0.0.1:${port}/acp`)
        : createWebSocketStream(`ws://127.0.0.1:${port}/acp`, { WebSocket: constructor }),
      onUpdate,
    ),
};
