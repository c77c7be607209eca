export { type Authorize, bearerToken, type EndpointRules } from '../../endpoint/endpoint-rules.ts';
export { type HttpEndpoint, type HttpEndpointOptions, serveHttp } from './serve-http.ts';
