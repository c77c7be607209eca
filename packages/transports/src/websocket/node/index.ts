export {
  type Authorize,
  type Authorized,
  bearerOf,
  bearerToken,
  type EndpointRequest,
  type EndpointRules,
} from '../../endpoint/endpoint-rules.ts';
export { connectWebSocket, type ConnectWebSocketOptions } from './connect-websocket.ts';
export {
  type AcceptedConnection,
  serveWebSockets,
  type UpgradingServer,
  type WebSocketEndpoint,
  type WebSocketEndpointOptions,
} from './serve-websockets.ts';
