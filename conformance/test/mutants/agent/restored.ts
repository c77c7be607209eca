import { asMessage, at, type RawMessage } from '../../../src/wire/messages.ts';
import type { Defect, Mutant } from '../mutant-line.ts';
import type { Oddity } from './oddities.ts';
import { paramsOf, resultLine } from './protocol/said.ts';
import { misanswering, mistelling, promptIn, withPrompt } from './sessions/defects.ts';
import { isPromptAnswer } from './turns/tampered.ts';

const judges = 'agent';
const openings = ['session/load', 'session/resume'];

/** Changes the frames of the agent while it restores a session. */
function whileRestoring(change: (message: RawMessage) => readonly RawMessage[]): Defect {
  return () => {
    let open: unknown;
    return {
      hears: (message) => {
        if (openings.includes(String(message['method']))) open = message['id'];
        return [message];
      },
      says: (message) => {
        if (open === undefined) return [message];
        if (message['method'] === undefined && message['id'] === open) open = undefined;
        return message['method'] === 'session/update' ? change(message) : [message];
      },
    };
  };
}

/** Changes the prompts of a connection on which a session was restored. */
function afterRestoring(change: (params: RawMessage, nth: number) => RawMessage | undefined): Defect {
  return () => {
    let prompts: number | undefined;
    return {
      hears: (message) => {
        if (openings.includes(String(message['method']))) prompts = 0;
        if (message['method'] !== 'session/prompt' || prompts === undefined) return [message];
        prompts += 1;
        const params = change(paramsOf(message), prompts);
        return params === undefined ? [] : [{ ...message, params }];
      },
    };
  };
}

/** Remembers what it replayed, and replays it twice the next time. */
function recordingReplays(): Defect {
  let loads = 0;
  return (tampering) => {
    const restoring = whileRestoring((message) => (loads % 2 === 0 ? [message, message] : [message]))(tampering);
    return {
      ...restoring,
      hears: (message, text) => {
        if (message['method'] === 'session/load') loads += 1;
        return restoring.hears?.(message, text) ?? [message];
      },
    };
  };
}

/** Succeeds where the agent says that there is no such session. */
function succeedingAnyway(method: string, result: RawMessage): Defect {
  return () => {
    const asked = new Set<unknown>();
    return {
      hears: (message) => {
        if (message['method'] === method) asked.add(message['id']);
        return [message];
      },
      says: (message) => {
        const isMeant = message['method'] === undefined && asked.has(message['id']) && message['error'] !== undefined;
        return [isMeant ? resultLine(message, result) : message];
      },
    };
  };
}

/** Takes an unknown session for the last one that was created. */
function guessingTheSession(method: string): Defect {
  return () => {
    const known: unknown[] = [];
    return {
      says: (message) => {
        const sessionId = at(message['result'], 'sessionId');
        if (sessionId !== undefined) known.unshift(sessionId);
        return [message];
      },
      hears: (message) => {
        const params = paramsOf(message);
        const isGuess = message['method'] === method && !known.includes(params['sessionId']);
        return [isGuess ? { ...message, params: { ...params, sessionId: known.at(-1) } } : message];
      },
    };
  };
}

/** Uses the first id of all for new sessions of later processes. */
function countingFromOne(): Defect {
  let first: unknown;
  return misanswering(['session/new'], (result) => ({ ...result, sessionId: (first ??= result['sessionId']) }));
}

const failing: Defect = (tampering) => {
  const { hears } = afterRestoring((params, nth) => (nth === 1 ? undefined : params))(tampering);
  return {
    hears: (message, text) => {
      const left = hears?.(message, text) ?? [message];
      if (left.length === 0)
        tampering.toKit(
          JSON.stringify({ jsonrpc: '2.0', id: message['id'], error: { code: -32_603, message: 'no history' } }),
        );
      return left;
    },
  };
};

/** Runs commands of a restored session where the process was started. */
const elsewhere = afterRestoring((params) => {
  const prompt = promptIn(params).replace(/^run (.* (\/.*)\/project\/.*)$/, 'run cd $2/started-here && $1');
  return withPrompt(params, prompt);
});

/** Agents whose faults show after a session was restored, or with sessions that do not exist. */
export const restoredMutants: readonly Mutant[] = [
  ...['load/replay', 'load/again', 'resume/context'].map((scenario): Mutant => ({
    name: `never answers the first prompt of a restored session: ${scenario}`,
    judges,
    scenario,
    breaks: 'R405',
    defect: afterRestoring((params, nth) => (nth === 1 ? undefined : params)),
  })),
  {
    name: 'fails the first prompt of a resumed session',
    judges,
    scenario: 'resume/context',
    breaks: 'R405',
    defect: failing,
  },
  {
    name: 'records its replay as new messages',
    judges,
    scenario: 'load/again',
    breaks: 'R085',
    defect: recordingReplays(),
  },
  {
    name: 'replays the results of tool calls without the calls',
    judges,
    scenario: 'load/again',
    breaks: 'R406',
    defect: whileRestoring((message) => {
      const update = asMessage(paramsOf(message)['update']) ?? {};
      if (update['sessionUpdate'] !== 'tool_call') return [message];
      return [
        { ...message, params: { ...paramsOf(message), update: { ...update, sessionUpdate: 'tool_call_update' } } },
      ];
    }),
  },
  {
    name: 'leaves replayed tool calls pending',
    judges,
    scenario: 'load/again',
    breaks: 'R406',
    defect: whileRestoring((message) => {
      const { status: _, ...update } = asMessage(paramsOf(message)['update']) ?? {};
      return [{ ...message, params: { ...paramsOf(message), update } }];
    }),
  },
  {
    name: 'creates a session when it is asked to load an unknown one',
    judges,
    scenario: 'sessions/unknown-id',
    breaks: 'R407',
    defect: succeedingAnyway('session/load', {}),
  },
  {
    name: 'resumes a session that never existed',
    judges,
    scenario: 'sessions/unknown-id',
    breaks: 'R407',
    defect: succeedingAnyway('session/resume', {}),
  },
  {
    name: 'answers prompts of unknown sessions as finished',
    judges,
    scenario: 'sessions/unknown-id',
    breaks: 'R408',
    defect: succeedingAnyway('session/prompt', { stopReason: 'end_turn' }),
  },
  ...['session/prompt', 'session/set_mode', 'session/set_config_option'].map((method): Mutant => ({
    name: `takes an unknown session for another one: ${method}`,
    judges,
    scenario: 'sessions/unknown-id',
    breaks: 'R408',
    defect: guessingTheSession(method),
  })),
  {
    name: 'cancels the work of another session than the unknown one',
    judges,
    scenario: 'cancel/one-session',
    breaks: 'R078',
    defect: guessingTheSession('session/cancel'),
  },
  {
    name: 'gives a session of another process the id of a stored one',
    judges,
    scenario: 'load/again',
    breaks: 'R411',
    defect: countingFromOne(),
  },
  {
    name: 'reuses tool call ids after a session was resumed',
    judges,
    scenario: 'resume/context',
    breaks: 'R180',
    defect: mistelling((update, message) =>
      update['toolCallId'] === undefined
        ? undefined
        : [{ ...message, params: { ...paramsOf(message), update: { ...update, toolCallId: 'call-1' } } }],
    ),
  },
  {
    name: 'works where it was started after a session was loaded',
    judges,
    scenario: 'load/again',
    breaks: 'R080',
    defect: elsewhere,
  },
];

const slow = 300;

/** Conforming agents that are unusual after a session was restored. */
export const restoredOddities: readonly Oddity[] = [
  {
    name: 'is slow to answer the first prompt of a restored session',
    scenarios: ['load/replay', 'load/again', 'resume/context'],
    defect: ({ toSubject }) => {
      let isRestored = false;
      return {
        hears: (message, text) => {
          isRestored ||= openings.includes(String(message['method']));
          if (message['method'] !== 'session/prompt' || !isRestored) return [message];
          isRestored = false;
          setTimeout(() => toSubject(text), slow);
          return [];
        },
      };
    },
  },
  {
    name: 'replays each tool call as one whole report, and talks a lot besides',
    scenarios: ['load/replay', 'load/again'],
    defect: whileRestoring((message) => {
      const update = asMessage(paramsOf(message)['update']) ?? {};
      const told = (changed: RawMessage): RawMessage => ({
        ...message,
        params: { ...paramsOf(message), update: changed },
      });
      const thought = { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'quince, medlar' } };
      if (update['sessionUpdate'] === 'tool_call') return [told(thought), told({ ...update, status: 'completed' })];
      return update['sessionUpdate'] === 'tool_call_update' ? [] : [message, told(thought)];
    }),
  },
  {
    name: 'refuses unknown sessions with any code',
    scenarios: ['sessions/unknown-id', 'list/looks-only'],
    defect: () => ({
      says: (message) => {
        const error = asMessage(message['error']);
        return [error === undefined ? message : { ...message, error: { ...error, code: -32_603 } }];
      },
    }),
  },
  {
    name: 'answers a prompt of an unknown session with a refusal',
    scenarios: ['sessions/unknown-id'],
    defect: succeedingAnyway('session/prompt', { stopReason: 'refusal' }),
  },
  {
    name: 'ends every turn late, and restored ones in the same way',
    scenarios: ['load/again'],
    defect: ({ toKit }) => ({
      says: (message, text) => {
        if (!isPromptAnswer(message)) return [message];
        setTimeout(() => toKit(text), slow / 2);
        return [];
      },
    }),
  },
];
