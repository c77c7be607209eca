export { endOfTick } from './web-sink.ts';
export type { WebStreamOptions, WebStreamTransport } from './web-stream-transport.ts';
export { webStreamTransport } from './web-stream-transport.ts';
