import type { Frame } from '../frame.ts';
import { listener, type Rule } from '../rule.ts';

/** Updates that belong to a turn. Others may arrive at any time. */
const ofTurns = new Set([
  ...['user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk'],
  ...['tool_call', 'tool_call_update', 'plan'],
]);

/** No update of a turn arrives after its answer. */
export const updatesBeforeAnswer: Rule = listener('agent', ['R162'], ({ facts, held, broken }) => {
  const shown = new Set<string>();
  return {
    sent: (frame) => {
      const { sessionId } = frame;
      if (sessionId === undefined) return;
      const session = facts.session(sessionId);
      if (ofTurns.has(String(frame.update?.sessionUpdate))) {
        shown.add(sessionId);
        const { lastEnd } = session;
        if (!session.isBusy && lastEnd?.method === 'session/prompt')
          broken(
            'R162',
            `${String(frame.update?.sessionUpdate)} was sent after the answer to its prompt`,
            lastEnd,
            frame,
          );
      }
      if (frame.kind === 'answer' && frame.method === 'session/prompt' && shown.delete(sessionId)) held('R162');
    },
  };
});

/** Requests that an agent must complete even after a cancel: it needs the id of a terminal to release it. */
const needed: ReadonlySet<unknown> = new Set(['terminal/create', 'terminal/kill', 'terminal/release']);

/** An agent that supports $/cancel_request cancels all open client requests of a cancelled turn. */
export const cancelCascades: Rule = listener('agent', ['R176'], ({ facts, frames, held, broken }) => {
  // Support is optional.
  const isKnown = frames.some(({ from, method }) => from === 'agent' && method === '$/cancel_request');
  const open = new Map<string, Frame>();
  return {
    received: (frame) => {
      if (frame.kind === 'answer') open.delete(JSON.stringify(frame.id));
    },
    sent: (frame) => {
      if (frame.kind === 'request' && !needed.has(frame.method)) open.set(JSON.stringify(frame.id), frame);
      const isWithdrawn = frame.method === '$/cancel_request' && open.delete(JSON.stringify(frame.params['requestId']));
      if (isWithdrawn && facts.sessions.some(({ cancelled }) => cancelled !== undefined)) held('R176');
      const { sessionId } = frame;
      const isEnd = frame.method === 'session/prompt' && frame.result?.['stopReason'] === 'cancelled';
      if (!isEnd || sessionId === undefined) return;
      const left = [...open.values()].find((each) => each.sessionId === sessionId);
      if (left !== undefined && isKnown)
        broken('R176', `The turn was cancelled, but ${left.method} was neither answered nor cancelled`, left, frame);
    },
  };
});
