import type { ObservedEvent } from '@turnwire/gateway';
import type { SessionUpdate } from '@turnwire/protocol';
import { type BegunSpan, begun, parentIn, type Span, type SpanAttributes } from './span.ts';

/** A running turn of a session, and its open spans. */
interface RunningTurn {
  readonly span: BegunSpan;
  /** Spans of tool calls and questions by their ids. */
  readonly open: Map<string, BegunSpan>;
}

/** The maximum number of open tool calls and questions per turn; further ones are left out. */
const mostOpen = 1_000;

/**
 * Creates spans from the events of sessions: one per turn, with child spans for its tool calls and permission questions. They contain no text
 * of prompts, answers, commands or files.
 */
export class TurnSpans {
  readonly #ended: (span: Span) => void;
  readonly #turns = new Map<string, RunningTurn>();

  /** @param ended called with each finished span */
  constructor(ended: (span: Span) => void) {
    this.#ended = ended;
  }

  see({ session, event, promptMeta }: ObservedEvent): void {
    const { at } = event;
    const turn = this.#turns.get(session.id);
    if (event.type === 'prompt' && event.into === undefined) return this.#begin({ session, event, promptMeta });
    if (turn === undefined) return;
    switch (event.type) {
      case 'update':
        return this.#update(turn, event.update, at);
      case 'permission-asked':
        return this.#open(
          turn,
          `question ${event.request.toolCall.toolCallId}`,
          begun('ask permission', { from: at, parent: turn.span, attributes: {} }),
        );
      case 'permission-answered': {
        const { toolCallId, allowed } = event.outcome;
        return this.#close(turn, `question ${toolCallId}`, { at, attributes: { 'turnwire.allowed': allowed } });
      }
      case 'turn-ended':
        return this.#end(session.id, { at, attributes: { 'turnwire.stop_reason': event.stopReason } });
      case 'turn-failed':
        return this.#end(session.id, { at, failure: event.message });
      default:
        return undefined;
    }
  }

  #begin({ session, event, promptMeta }: ObservedEvent): void {
    const parent = parentIn(promptMeta?.['traceparent']);
    if (parent === 'unsampled') return;
    const attributes = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': session.agent,
      'gen_ai.conversation.id': session.id,
      'turnwire.tenant': session.tenant,
      ...(event.by && { 'turnwire.client': event.by.client }),
    };
    const span = begun(`invoke_agent ${session.agent}`, { from: event.at, parent, attributes });
    this.#turns.set(session.id, { span, open: new Map() });
  }

  #update(turn: RunningTurn, update: SessionUpdate, at: number): void {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return;
    const key = `tool ${update.toolCallId}`;
    const kind = update.kind ?? 'other';
    if (!turn.open.has(key) && update.sessionUpdate === 'tool_call') {
      const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': kind };
      this.#open(turn, key, begun(`execute_tool ${kind}`, { from: at, parent: turn.span, attributes }));
    }
    if (update.status === 'completed') this.#close(turn, key, { at });
    if (update.status === 'failed') this.#close(turn, key, { at, failure: 'the tool failed' });
  }

  #open(turn: RunningTurn, key: string, span: BegunSpan): void {
    if (turn.open.size < mostOpen) turn.open.set(key, span);
  }

  #close(turn: RunningTurn, key: string, how: Ending): void {
    const span = turn.open.get(key);
    turn.open.delete(key);
    if (span) this.#ended(over(span, how));
  }

  #end(sessionId: string, how: Ending): void {
    const turn = this.#turns.get(sessionId);
    if (!turn) return;
    this.#turns.delete(sessionId);
    // Open spans end with the turn.
    for (const span of turn.open.values()) this.#ended(over(span, { at: how.at }));
    this.#ended(over(turn.span, how));
  }
}

/** The end of a span. */
interface Ending {
  readonly at: number;
  readonly attributes?: SpanAttributes;
  readonly failure?: string;
}

function over(span: BegunSpan, { at, attributes, failure }: Ending): Span {
  return { ...span, to: at, attributes: { ...span.attributes, ...attributes }, failure };
}
