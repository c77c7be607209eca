export {
  type HttpFront,
  type HttpFrontOptions,
  openHttpFront,
  type ServeClient,
  type ServedClient,
  type ServedFor,
} from './http-front.ts';
export type { SessionElsewhere } from './front-pages.ts';
export { openSocketFront, type SocketFront, type SocketFrontOptions } from './socket-front.ts';
