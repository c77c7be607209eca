import type { SessionUpdate } from '@turnwire/protocol';
import type { UpdateOrigin } from '../agent/agent-start.ts';
import type { RulesInForce } from './rules-in-force.ts';
import type { SessionAgent } from './session-agent.ts';
import type { SessionEvents } from './session-events.ts';
import type { SessionTurns } from './session-turns.ts';

/** The session that receives the updates. */
export interface AgentUpdatesParts {
  readonly agent: SessionAgent;
  readonly turns: SessionTurns;
  readonly rules: RulesInForce;
  readonly events: SessionEvents;
}

/** The updates of a session's agent: each is logged, judged, and counted for the running turn. */
export class AgentUpdates {
  readonly #parts: AgentUpdatesParts;

  constructor(parts: AgentUpdatesParts) {
    this.#parts = parts;
  }

  /** Adds an update. A returned promise delays the next one. */
  add(update: SessionUpdate, { isReplay, said }: UpdateOrigin): Promise<void> | undefined {
    const { agent, turns, rules, events } = this.#parts;
    const event = { at: Date.now(), type: 'update', update } as const;
    const isPlain = !isReplay && said === undefined;
    events.add(isPlain ? event : { ...event, ...(isReplay && { isReplay }), ...(said !== undefined && { said }) });
    turns.budget.update(update, isReplay);
    if (isReplay) return undefined;
    const isToolCall = update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update';
    const unasked = isToolCall && rules.current.observe(agent.sessionId ?? '', update);
    if (unasked) events.add({ at: Date.now(), type: 'ran-unasked', ...unasked });
    return turns.updated(update);
  }
}
