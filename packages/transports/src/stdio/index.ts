export type { NoisePolicy } from '../lines/frame-lines.ts';
export type { LineLimits as StdioLimits } from '../lines/line-transport.ts';
export { serveStdio } from './serve-stdio.ts';
export type { StdioOptions } from './stdio-transport.ts';
export { stdioTransport } from './stdio-transport.ts';
