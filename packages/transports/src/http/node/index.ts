export {
  type Authorize,
  type Authorized,
  bearerOf,
  bearerToken,
  type EndpointRequest,
  type EndpointRules,
  foreignRefusal,
  headerOf,
  hostOf,
  isAcceptedOrigin,
  type Refusal,
} from '../../endpoint/endpoint-rules.ts';
export type { AcceptedHttpConnection, HttpEndpoint, HttpEndpointOptions } from '../server/endpoint.ts';
export { type Variables, proxyFor } from '../../proxy/proxy-for.ts';
export { connectHttp, type ConnectNodeHttpOptions } from './connect-http.ts';
export { nodeFetch, type NodeFetchOptions } from './node-fetch.ts';
export { serveHttp } from './serve-http.ts';
export { openWire, type OpenWireOptions } from '../../proxy/open-wire.ts';
export { type HttpAddress, type HttpListener, listenHttp } from './listen-http.ts';
export { Cookies } from '../cookies.ts';
export type { EventBody } from '../event-frames.ts';
export type { HttpResponse } from '../http-transport.ts';
