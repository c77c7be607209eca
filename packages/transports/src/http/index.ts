export type { EventBody } from './event-frames.ts';
export { connectHttp, type ConnectHttpOptions, type HttpResponse } from './http-transport.ts';
