export {
  type HttpFront,
  type HttpFrontOptions,
  type LinkEndpoint,
  openHttpFront,
  type ServeClient,
  type ServedClient,
} from './http-front.ts';
export type { SessionElsewhere } from './front-pages.ts';
export { openSocketFront, type SocketFront, type SocketFrontOptions } from './socket-front.ts';
