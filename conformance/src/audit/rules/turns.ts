import { asMessage, at, objectsIn } from '../../wire/messages.ts';
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

/** Messages of a client that may end a turn. Another prompt in the session replaces the turn in some agents. */
const ending: ReadonlySet<string> = new Set([
  ...['session/cancel', 'session/close', 'session/delete', 'session/archive', 'session/prompt'],
  ...['$/cancel_request', 'logout'],
]);

/** A turn ends with `cancelled` only if the client cancelled it or refused something in it. */
export const cancelledByClient: Rule = listener('agent', ['R419'], ({ held, broken }) => {
  const running = new Map<Frame, Frame | undefined>();
  return {
    received: (frame) => {
      if (mayEndTurn(frame)) for (const prompt of running.keys()) running.set(prompt, frame);
      if (frame.method === 'session/prompt' && frame.kind === 'request') running.set(frame, undefined);
    },
    sent: (frame) => {
      const { request, result } = frame;
      if (request === undefined || frame.kind !== 'answer' || !running.has(request)) return;
      const reason = running.get(request);
      running.delete(request);
      if (result?.['stopReason'] !== 'cancelled') held('R419');
      else if (reason === undefined)
        broken(
          'R419',
          'A turn ended with cancelled, but the client neither cancelled it nor refused anything',
          request,
          frame,
        );
    },
  };
});

function mayEndTurn(frame: Frame): boolean {
  // An extension may have a method to cancel parts of a turn.
  if (frame.kind !== 'answer') return ending.has(frame.method) || frame.method.startsWith('_');
  if (frame.result === undefined) return true;
  if (frame.method === 'elicitation/create') return frame.result['action'] !== 'accept';
  if (frame.method !== 'session/request_permission') return false;
  const chosen = at(asMessage(frame.result['outcome']), 'optionId');
  const option = objectsIn(frame.request?.params['options']).find(({ optionId }) => optionId === chosen);
  return !String(option?.['kind']).startsWith('allow');
}
