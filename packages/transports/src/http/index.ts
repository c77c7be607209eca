export { connectHttp, type ConnectHttpOptions } from './http-transport.ts';
