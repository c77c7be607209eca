export {
  type Authorize,
  bearerToken,
  type EndpointRequest,
  type EndpointRules,
} from '../../endpoint/endpoint-rules.ts';
export type { HttpEndpoint, HttpEndpointOptions } from '../server/endpoint.ts';
export { type Variables, proxyFor } from '../../proxy/proxy-for.ts';
export { nodeFetch, type NodeFetchOptions } from './node-fetch.ts';
export { serveHttp } from './serve-http.ts';
export { openWire, type OpenWireOptions } from '../../proxy/open-wire.ts';
