export type { MessagePortLike, MessagePortLimits } from './message-port-transport.ts';
export { messagePortTransport } from './message-port-transport.ts';
