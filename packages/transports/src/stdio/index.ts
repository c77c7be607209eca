export type { NoisePolicy } from './frame-input.ts';
export { serveStdio } from './serve-stdio.ts';
export type { StdioLimits, StdioOptions } from './stdio-transport.ts';
export { stdioTransport } from './stdio-transport.ts';
