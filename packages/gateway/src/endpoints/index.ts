export {
  type HttpServer,
  type HttpServerOptions,
  type LinkEndpoint,
  openHttpServer,
  type ServeClient,
  type ServedClient,
} from './http-server.ts';
export type { SessionElsewhere } from './http-pages.ts';
export { openSocketServer, type SocketServer, type SocketServerOptions } from './socket-server.ts';
