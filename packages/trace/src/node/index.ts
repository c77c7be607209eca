export { followTrace } from './follow-trace.ts';
export { type LineListener, LineTap } from './line-tap.ts';
export { readTrace, traceItems } from './read-trace.ts';
export { relayProcess, type RelayEnd, type RelayOptions } from './relay-process.ts';
export { type TraceOptions, type TraceWriter, traceWriter } from './trace-writer.ts';
export { writeTrace, type WriteTraceOptions } from './write-trace.ts';
