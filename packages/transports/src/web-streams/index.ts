export type { WebStreamOptions } from './web-stream-transport.ts';
export { webStreamTransport } from './web-stream-transport.ts';
