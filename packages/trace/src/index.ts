export { describeTrace, TraceDescription } from './describe-trace.ts';
export { normaliseTrace, type NormalFrame } from './normalise-trace.ts';
export { redactTrace } from './redact-trace.ts';
export { playTrace, replayAgent, type ReplayEnd, type ReplayOptions } from './replay-agent.ts';
export { replayClient, type ClientReplayEnd, type ClientReplayOptions } from './replay-client.ts';
export { type TraceItem, traceEvents, type TraceLines } from './trace-events.ts';
export {
  type FrameFlaw,
  isFrame,
  type KnownFrame,
  type PlacedFrame,
  type Trace,
  type TraceEvent,
  type TraceFrame,
  type TraceHeader,
  type TraceNote,
  type TraceProblem,
  traceVersion,
} from './trace-format.ts';
export { type RedactionOptions, traceOf } from './trace-lines.ts';
export { wireMessage, type WireMessage } from './wire-message.ts';
