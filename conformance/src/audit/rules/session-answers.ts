import { quoted } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
import { listener, type Rule, rule, type RuleContext } from '../rule.ts';

/** Every new session has its own id. */
export const freshSessionIds: Rule = listener('agent', ['R075'], ({ held, broken }) => {
  const known = new Map<unknown, Frame>();
  return {
    sent: (frame) => {
      const id = frame.result?.['sessionId'];
      if (frame.method !== 'session/new' || id === undefined) return;
      const before = known.get(id);
      if (before !== undefined)
        broken('R075', `The session id ${quoted(id)} was used for a second session`, before, frame);
      else if (known.size > 0) held('R075');
      known.set(id, frame);
    },
  };
});

/** Updates that carry content of the conversation. */
const history = new Set(['user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'plan']);

/** History arrives between session/load and its answer, and never with session/resume. */
export const historyInPlace: Rule = rule('agent', ['R086', 'R091'], (frame, context) => {
  if (frame.isSuccess && frame.method === 'session/load') context.held('R086');
  if (frame.isSuccess && frame.method === 'session/resume') context.held('R091');
  if (history.has(String(frame.update?.sessionUpdate))) judgeHistory(frame, context);
});

function judgeHistory(frame: Frame, { facts, broken }: RuleContext): void {
  const { openings, turns, lastEnd, isBusy } = facts.session(frame.sessionId ?? '');
  const [opening] = openings;
  if (opening?.method === 'session/resume' && openings.size === 1 && turns.size === 0)
    broken('R091', 'History was sent before session/resume was answered', opening, frame);
  if (!isBusy && lastEnd?.method === 'session/load' && lastEnd.isSuccess)
    broken('R086', 'History was sent after session/load was answered', lastEnd, frame);
}

/** session_info_update contains neither the session id nor its directories. */
export const infoWithoutLocation: Rule = rule('agent', ['R128'], (frame, { check }) => {
  const { update } = frame;
  if (update?.sessionUpdate !== 'session_info_update') return;
  const forbidden = ['sessionId', 'cwd', 'additionalDirectories'].filter((key) => key in update);
  check('R128', forbidden.length > 0 && `session_info_update contains ${forbidden.join(' and ')}`, frame);
});

/** Times in a list of sessions follow ISO 8601. */
export const listedTimes: Rule = rule('agent', ['R117'], (frame, { broken }) => {
  const iso = /^[+-]?\d{4,6}-\d\d(?:-\d\d)?(?:[T ]\d\d(?::?\d\d)?|$)/;
  for (const { updatedAt: time } of frame.partsOf('SessionInfo'))
    if (typeof time === 'string' && (!iso.test(time) || Number.isNaN(Date.parse(time))))
      broken('R117', `updatedAt is ${quoted(time)}, which is not ISO 8601`, frame);
});

/** A client sends cursors unchanged. */
export const cursors: Rule = listener('client', ['R120'], ({ facts, held, broken }) => {
  const issued = new Set<unknown>();
  return {
    received: (frame) => {
      if (frame.method === 'session/list' && frame.result !== undefined) issued.add(frame.result['nextCursor']);
    },
    sent: (frame) => {
      const { cursor } = frame.params;
      if (frame.kind !== 'request' || frame.method !== 'session/list' || typeof cursor !== 'string') return;
      if (issued.has(cursor)) held('R120');
      else if (facts.isAgentKnown)
        broken(
          'R120',
          `session/list has the cursor ${quoted(cursor)}, which the agent did not issue on this connection`,
          frame,
        );
    },
  };
});
