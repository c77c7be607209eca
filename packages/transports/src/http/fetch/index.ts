export {
  type Authorize,
  bearerToken,
  type EndpointRequest,
  type EndpointRules,
} from '../../endpoint/endpoint-rules.ts';
export type { HttpEndpoint, HttpEndpointOptions } from '../server/endpoint.ts';
export { type FetchEndpoint, fetchEndpoint } from './fetch-endpoint.ts';
