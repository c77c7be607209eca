import { asMessage } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
import type { RuleContext, Rule } from '../rule.ts';

export const freshSessionIds: Rule = {
  name: 'Every new session has its own id',
  judges: 'agent',
  requirements: ['R075'],
  listen: ({ held, broken }) => {
    const known = new Map<unknown, Frame>();
    return {
      sent: (frame) => {
        const id = frame.result?.['sessionId'];
        if (frame.method !== 'session/new' || id === undefined) return;
        const before = known.get(id);
        if (before !== undefined) broken('R075', `${JSON.stringify(id)} is given to a second session`, before, frame);
        else if (known.size > 0) held('R075');
        known.set(id, frame);
      },
    };
  },
};

/** Updates with content of the conversation. */
const history = new Set(['user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'plan']);

export const historyInPlace: Rule = {
  name: 'What was said before comes between session/load and its answer, and not at all with session/resume',
  judges: 'agent',
  requirements: ['R086', 'R091'],
  listen: (context) => ({
    sent: (frame) => {
      if (frame.isSuccess && frame.method === 'session/load') context.held('R086');
      if (frame.isSuccess && frame.method === 'session/resume') context.held('R091');
      if (history.has(String(frame.update?.sessionUpdate))) judgeHistory(frame, context);
    },
  }),
};

function judgeHistory(frame: Frame, { facts, broken }: RuleContext): void {
  const { openings, turns, lastEnd, isBusy } = facts.session(frame.sessionId ?? '');
  const [opening] = openings;
  if (opening?.method === 'session/resume' && openings.size === 1 && turns.size === 0)
    broken('R091', 'History comes before session/resume is answered', opening, frame);
  if (!isBusy && lastEnd?.method === 'session/load' && lastEnd.isSuccess)
    broken('R086', 'History comes after session/load was answered', lastEnd, frame);
}

export const infoWithoutPlace: Rule = {
  name: 'session_info_update does not say which session it is, or where',
  judges: 'agent',
  requirements: ['R128'],
  listen: ({ held, broken }) => ({
    sent: (frame) => {
      const { update } = frame;
      if (update?.sessionUpdate !== 'session_info_update') return;
      const wrong = ['sessionId', 'cwd', 'additionalDirectories'].filter((key) => key in update);
      if (wrong.length > 0) broken('R128', `session_info_update has ${wrong.join(' and ')}`, frame);
      else held('R128');
    },
  }),
};

export const listedTimes: Rule = {
  name: 'The time in a list of sessions is ISO 8601',
  judges: 'agent',
  requirements: ['R117'],
  listen: ({ broken }) => ({
    sent: (frame) => {
      for (const { type, value } of frame.dissection.parts) {
        const time = asMessage(value)?.['updatedAt'];
        if (type === 'SessionInfo' && typeof time === 'string' && !isTime(time))
          broken('R117', `updatedAt is ${JSON.stringify(time)}, which is not ISO 8601`, frame);
      }
    },
  }),
};

function isTime(text: string): boolean {
  return /^[+-]?\d{4,6}-\d\d(?:-\d\d)?(?:[T ]\d\d(?::?\d\d)?|$)/.test(text) && !Number.isNaN(Date.parse(text));
}

export const cursors: Rule = {
  name: 'A cursor comes back as it was given',
  judges: 'client',
  requirements: ['R120'],
  listen: ({ facts, held, broken }) => {
    const given = new Set<unknown>();
    return {
      received: (frame) => {
        if (frame.method === 'session/list' && frame.result !== undefined) given.add(frame.result['nextCursor']);
      },
      sent: (frame) => {
        const { cursor } = frame.params;
        if (frame.kind !== 'request' || frame.method !== 'session/list' || typeof cursor !== 'string') return;
        if (given.has(cursor)) held('R120');
        else if (facts.isAgentKnown)
          broken('R120', `session/list has the cursor ${JSON.stringify(cursor)}, which was not given here`, frame);
      },
    };
  },
};
