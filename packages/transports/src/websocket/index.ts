export { maxValues } from '../endpoint/count-values.ts';
export type { WebSocketLike, WebSocketLimits } from './websocket-transport.ts';
export { webSocketTransport } from './websocket-transport.ts';
