export { describeTrace, TraceDescription } from './describe-trace.ts';
export { followTrace } from './follow-trace.ts';
export type { FrameTap } from './frame-tap.ts';
export { type LineHearer, LineTap } from './line-tap.ts';
export { makeFolder } from './make-folder.ts';
export { normaliseTrace, type NormalFrame } from './normalise-trace.ts';
export type { KnownFrame } from './pending-lines.ts';
export { readTrace, traceItems } from './read-trace.ts';
export { redactTrace } from './redact-trace.ts';
export { relayProcess, type RelayEnd, type RelayOptions } from './relay-process.ts';
export { playTrace, replayAgent, type ReplayEnd, type ReplayOptions } from './replay-agent.ts';
export { replayClient, type ClientReplayEnd, type ClientReplayOptions } from './replay-client.ts';
export { redactText } from './redact-text.ts';
export { serveReplay } from './serve-replay.ts';
export { type TraceItem, traceEvents, type TraceLines } from './trace-events.ts';
export {
  type FrameFlaw,
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
export type { RedactionOptions } from './trace-lines.ts';
export { type TraceOptions, type TraceWriter, traceWriter } from './trace-writer.ts';
export { wireMessage, type WireMessage } from './wire-message.ts';
export { traceOf, writeTrace, type WriteTraceOptions } from './write-trace.ts';
