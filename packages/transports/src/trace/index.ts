export { describeTrace } from './describe-trace.ts';
export type { FrameTap } from './frame-tap.ts';
export { readTrace } from './read-trace.ts';
export { playTrace, replayAgent, type ReplayEnd, type ReplayOptions } from './replay-agent.ts';
export { redactText } from './redact-text.ts';
export { serveReplay } from './serve-replay.ts';
export { type TraceItem, traceEvents, type TraceLines } from './trace-events.ts';
export {
  isFrame,
  type PlacedFrame,
  type Trace,
  type TraceEvent,
  type TraceFrame,
  type TraceHeader,
  type TraceNote,
  type TraceProblem,
  traceVersion,
} from './trace-format.ts';
export { type TraceOptions, type TraceWriter, traceWriter } from './trace-writer.ts';
export { wireMessage, type WireMessage } from './wire-message.ts';
