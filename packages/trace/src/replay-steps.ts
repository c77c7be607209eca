import { isFrame, type Trace, type TraceEvent } from './trace-format.ts';
import { type WireMessage, wireMessage } from './wire-message.ts';

/** A step of a replay. */
export interface ReplayStep {
  readonly from: 'agent' | 'client';
  readonly at: number;
  readonly where: string;
  /** The frame; absent where the agent's process exits. */
  readonly frame?: unknown;
  readonly message: WireMessage;
}

/** The steps to replay: all frames up to the exit of the agent's process, without the client frames that are optional. */
export function replaySteps({ header, events }: Trace): readonly ReplayStep[] {
  const end = events.findIndex((event) => !isFrame(event) && event.type === 'exit');
  const played = end === -1 ? events : events.slice(0, end + 1);
  return played.flatMap((event) => stepOf(event, header.side)).filter((step) => !isOptional(step));
}

function stepOf(event: TraceEvent, side: 'client' | 'agent'): readonly ReplayStep[] {
  const { at, where } = event;
  if (isFrame(event)) {
    const { direction, frame } = event;
    const from = (direction === 'out') === (side === 'client') ? 'client' : 'agent';
    return [{ from, at, where, frame, message: wireMessage(frame) }];
  }
  return event.type === 'exit' ? [{ from: 'agent', at, where, message: { kind: 'other' } }] : [];
}

function isOptional({ from, message }: ReplayStep): boolean {
  return from === 'client' && (message.kind === 'other' || message.method === '$/cancel_request');
}

/** A step for messages, for example `session/prompt (line 12)`. */
export function describeStep({ message, where }: ReplayStep): string {
  return `${message.method ?? `the answer to the agent's request ${String(message.id)}`} (${where})`;
}
