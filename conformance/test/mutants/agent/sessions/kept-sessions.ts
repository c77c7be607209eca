import type { Mutant } from '../../mutant-line.ts';
import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import { inventing, misanswering, misreading, mistelling, promptIn, withPrompt } from './defects.ts';

const judges = 'agent';

/** A replayed chunk of the user. */
function userChunk(sessionId: unknown, text: string): string {
  const update = { sessionUpdate: 'user_message_chunk', content: { type: 'text', text } };
  return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } });
}

/** Forgets everything from before its connection began. */
const forgetting: Mutant['defect'] = (tampering) => {
  let prompts = 0;
  return misreading(['session/prompt'], (params) => {
    prompts += 1;
    return prompts === 1 && promptIn(params) === 'again' ? withPrompt(params, 'say "what?"') : params;
  })(tampering);
};

/** Agents with faults in stored sessions. */
export const keptSessionMutants: readonly Mutant[] = [
  {
    name: 'replays only its own messages',
    judges,
    scenario: 'load/replay',
    breaks: 'R085',
    defect: mistelling(({ sessionUpdate }) => (sessionUpdate === 'user_message_chunk' ? [] : undefined)),
  },
  {
    name: 'replays no tool calls',
    judges,
    scenario: 'load/replay',
    breaks: 'R085',
    defect: (tampering) => {
      let isLoading = false;
      const silent = mistelling(({ sessionUpdate }) =>
        isLoading && String(sessionUpdate).startsWith('tool_call') ? [] : undefined,
      )(tampering);
      return {
        ...silent,
        hears: (message) => {
          isLoading = message['method'] === 'session/load';
          return [message];
        },
      };
    },
  },
  {
    name: 'replays a conversation backwards',
    judges,
    scenario: 'load/replay',
    breaks: 'R085',
    defect: () => {
      let load: unknown;
      let held: RawMessage[] = [];
      return {
        hears: (message) => {
          if (message['method'] === 'session/load') load = message['id'];
          return [message];
        },
        says: (message) => {
          if (load === undefined) return [message];
          held = [message, ...held];
          if (message['id'] !== load || message['method'] !== undefined) return [];
          const [answer, ...updates] = held;
          load = undefined;
          return [...updates, answer ?? {}];
        },
      };
    },
  },
  {
    name: 'replays everything twice',
    judges,
    scenario: 'load/replay',
    breaks: 'R085',
    defect: untilLoaded((message) => (message['method'] === 'session/update' ? [message, message] : [message])),
  },
  {
    name: 'reuses tool call ids after a session was loaded',
    judges,
    scenario: 'load/replay',
    breaks: 'R180',
    defect: countingCalls,
  },
  {
    name: 'continues the replay after its answer',
    judges,
    scenario: 'load/replay',
    breaks: 'R086',
    defect: ({ toKit }) => {
      let load: RawMessage | undefined;
      return {
        hears: (message) => {
          if (message['method'] === 'session/load') load = message;
          return [message];
        },
        says: (message) => {
          if (load === undefined || message['id'] !== load['id'] || message['method'] !== undefined) return [message];
          const { sessionId } = asMessage(load['params']) ?? {};
          setImmediate(() => toKit(userChunk(sessionId, 'and there was more')));
          return [message];
        },
      };
    },
  },
  {
    name: 'loads a session but forgets its conversation',
    judges,
    scenario: 'load/replay',
    breaks: 'R087',
    defect: forgetting,
  },
  {
    name: 'loses a session when it is stopped during a turn',
    judges,
    scenario: 'load/interrupted',
    breaks: 'R085',
    defect: inventing('session/load', () => ({ error: { code: -32_002, message: 'there is no such session' } })),
  },
  {
    name: 'replays notices',
    judges,
    scenario: 'load/notices',
    breaks: 'R088',
    defect: replayingNotices(),
  },
  {
    name: 'sends the history of a session that it resumes',
    judges,
    scenario: 'resume/context',
    breaks: 'R091',
    defect: ({ toKit }) => ({
      hears: (message) => {
        if (message['method'] === 'session/resume')
          toKit(userChunk(asMessage(message['params'])?.['sessionId'], 'what was said before'));
        return [message];
      },
    }),
  },
  {
    name: 'resumes a session but forgets its conversation',
    judges,
    scenario: 'resume/context',
    breaks: 'R092',
    defect: forgetting,
  },
  {
    name: 'lists sessions of every folder',
    judges,
    scenario: 'list/filter',
    breaks: 'R116',
    defect: misreading(['session/list'], ({ cwd: _, ...params }) => params),
  },
  {
    name: 'fails to list an empty folder',
    judges,
    scenario: 'list/filter',
    breaks: 'R116',
    defect: inventing('session/list', ({ cwd }) =>
      String(cwd).endsWith('project') ? undefined : { error: { code: -32_002, message: 'there are no sessions' } },
    ),
  },
  {
    name: 'accepts any cursor',
    judges,
    scenario: 'list/filter',
    breaks: 'R121',
    defect: misreading(['session/list'], ({ cursor: _, ...params }) => params),
  },
  {
    name: 'lists titles that it never announced',
    judges,
    scenario: 'list/filter',
    breaks: 'R129',
    defect: misanswering(['session/list'], (result) => ({
      ...result,
      sessions: (result['sessions'] as readonly RawMessage[]).map((session) => ({ ...session, title: 'a session' })),
    })),
  },
  {
    name: 'returns the first page for every cursor',
    judges,
    scenario: 'list/pages',
    breaks: 'R122',
    defect: misreading(['session/list'], ({ cursor: _, ...params }) => params),
  },
  {
    name: 'accepts prompts for sessions that were only listed',
    judges,
    scenario: 'list/looks-only',
    breaks: 'R125',
    defect: (tampering) => {
      let isListed = false;
      const { hears } = inventing('session/prompt', () =>
        isListed ? { result: { stopReason: 'end_turn' } } : undefined,
      )(tampering);
      return {
        hears: (message, text) => {
          isListed ||= message['method'] === 'session/list';
          return hears?.(message, text) ?? [message];
        },
      };
    },
  },
  {
    name: 'reports a session as deleted but keeps it',
    judges,
    scenario: 'delete/gone',
    breaks: 'R131',
    defect: inventing('session/delete', () => ({ result: {} })),
  },
  {
    name: 'lists deleted sessions again after a restart',
    judges,
    scenario: 'delete/gone',
    breaks: 'R131',
    defect: (tampering) => {
      const deleted = new Set<unknown>();
      const { hears } = inventing('session/delete', ({ sessionId }) => {
        deleted.add(sessionId);
        return { result: {} };
      })(tampering);
      return {
        ...(hears && { hears }),
        says: (message) => {
          const result = asMessage(message['result']) ?? {};
          const sessions = result['sessions'] as readonly RawMessage[] | undefined;
          if (sessions === undefined) return [message];
          const left = sessions.filter(({ sessionId }) => !deleted.has(sessionId));
          return [{ ...message, result: { ...result, sessions: left } }];
        },
      };
    },
  },
  {
    name: 'refuses to delete a deleted session',
    judges,
    scenario: 'delete/gone',
    breaks: 'R132',
    defect: (tampering) => {
      const deleted = new Set<unknown>();
      return inventing('session/delete', ({ sessionId }) => {
        if (deleted.has(sessionId)) return { error: { code: -32_002, message: 'there is no such session' } };
        deleted.add(sessionId);
        return undefined;
      })(tampering);
    },
  },
];

/** Changes the updates between `session/load` and its answer. */
function untilLoaded(change: (message: RawMessage) => readonly RawMessage[]): Mutant['defect'] {
  return () => {
    let load: unknown;
    return {
      hears: (message) => {
        if (message['method'] === 'session/load') load = message['id'];
        return [message];
      },
      says: (message) => {
        const isAnswer = load !== undefined && message['id'] === load && message['method'] === undefined;
        if (isAnswer) load = undefined;
        return load === undefined ? [message] : change(message);
      },
    };
  };
}

/** Numbers its tool calls, and starts with the first number again after a load. */
function countingCalls(): ReturnType<Mutant['defect']> {
  const numbers = new Map<unknown, string>();
  const numbered = (call: RawMessage | undefined): RawMessage | undefined => {
    const id = call?.['toolCallId'];
    if (id !== undefined && !numbers.has(id)) numbers.set(id, `call-${numbers.size + 1}`);
    return id === undefined ? undefined : { ...call, toolCallId: numbers.get(id) };
  };
  return {
    says: (message) => {
      const params = asMessage(message['params']);
      const [update, toolCall] = [numbered(asMessage(params?.['update'])), numbered(asMessage(params?.['toolCall']))];
      // A session is created or restored.
      if (asMessage(message['result'])?.['modes'] !== undefined) numbers.clear();
      return [
        {
          ...message,
          ...(params && { params: { ...params, ...(update && { update }), ...(toolCall && { toolCall }) } }),
        },
      ];
    },
  };
}

/** Replays what an earlier connection sent. */
function replayingNotices(): Mutant['defect'] {
  const noticed: RawMessage[] = [];
  return ({ toKit }) => ({
    hears: (message) => {
      if (message['method'] === 'session/load') for (const notice of noticed) toKit(JSON.stringify(notice));
      return [message];
    },
    says: (message) => {
      if (asMessage(asMessage(message['params'])?.['update'])?.['sessionUpdate'] === 'notice') noticed.push(message);
      return [message];
    },
  });
}
