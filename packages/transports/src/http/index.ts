export type { EventBody } from './event-frames.ts';
export { isThisMachine } from '../this-machine.ts';
export { connectHttp, type ConnectHttpOptions, type HttpResponse } from './http-transport.ts';
