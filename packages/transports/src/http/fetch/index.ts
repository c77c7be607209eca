export {
  type Authorize,
  bearerToken,
  type EndpointRequest,
  type EndpointRules,
  type Refusal,
} from '../../endpoint/endpoint-rules.ts';
export type { HttpEndpoint, HttpEndpointOptions } from '../server/endpoint.ts';
export type { Posted } from '../server/read-post.ts';
export { type FetchEndpoint, fetchEndpoint, readRequest } from './fetch-endpoint.ts';
