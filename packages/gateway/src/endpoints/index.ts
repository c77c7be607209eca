export {
  type HttpFront,
  type HttpFrontOptions,
  openHttpFront,
  type ServeClient,
  type ServedClient,
} from './http-front.ts';
