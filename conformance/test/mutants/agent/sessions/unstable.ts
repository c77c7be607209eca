import { at } from '../../../../src/wire/messages.ts';
import type { Mutant } from '../../mutant-line.ts';
import { inventing, misanswering, misreading, promptIn } from './defects.ts';

const common = { judges: 'agent', needs: 'unstable' } as const;
const takes = (method: string, result = {}): Mutant['defect'] => inventing(method, () => ({ result }));

/** Agents that do the unstable methods wrongly. */
export const unstableMutants: readonly Mutant[] = [
  {
    ...common,
    name: 'makes no fork, and goes on in the session',
    scenario: 'unstable/fork',
    breaks: 'R377',
    defect: inventing('session/fork', ({ sessionId }) => ({ result: { sessionId } })),
  },
  {
    ...common,
    name: 'makes empty forks',
    scenario: 'unstable/fork',
    breaks: 'R378',
    defect: () => ({
      hears: (message) => [message['method'] === 'session/fork' ? { ...message, method: 'session/new' } : message],
    }),
  },
  {
    ...common,
    name: 'says in the session what is said in its fork',
    scenario: 'unstable/fork',
    breaks: 'R379',
    defect: () => {
      let session: unknown;
      return {
        hears: (message) => {
          const params = at(message, 'params') as Parameters<typeof promptIn>[0];
          if (message['method'] !== 'session/prompt') return [message];
          session ??= params['sessionId'];
          return [
            promptIn(params).includes('mulberry') ? { ...message, params: { ...params, sessionId: session } } : message,
          ];
        },
      };
    },
  },
  {
    ...common,
    name: 'archives nothing',
    scenario: 'unstable/archive',
    breaks: 'R380',
    defect: takes('session/archive'),
  },
  {
    ...common,
    name: 'does not say what is archived',
    scenario: 'unstable/archive',
    breaks: 'R381',
    defect: misanswering(['session/list'], ({ sessions }) => ({
      sessions: (sessions as readonly object[]).map((session) => ({ ...session, archived: undefined })),
    })),
  },
  {
    ...common,
    name: 'archives a session once only',
    scenario: 'unstable/archive-again',
    breaks: 'R384',
    defect: (tampering) => {
      let times = 0;
      const error = { code: -32_603, message: 'it is archived' };
      return inventing('session/archive', () => (++times === 2 ? { error } : undefined))(tampering);
    },
  },
  {
    ...common,
    name: 'archives what is not there',
    scenario: 'unstable/archive-again',
    breaks: 'R390',
    defect: inventing('session/archive', ({ sessionId }) =>
      String(sessionId).startsWith('turnwire') ? { result: {} } : undefined,
    ),
  },
  {
    ...common,
    name: 'takes every filter for the usual one',
    scenario: 'unstable/archive-filter',
    breaks: 'R382',
    defect: misreading(['session/list'], ({ cwd }) => ({ cwd })),
  },
  {
    ...common,
    name: 'archives a session, and works on in it',
    scenario: 'unstable/archive-turn',
    breaks: 'R383',
    defect: takes('session/archive'),
  },
  {
    ...common,
    name: 'takes an open session for a saved one',
    scenario: 'unstable/status',
    breaks: 'R386',
    defect: takes('session/status', { status: 'saved' }),
  },
  {
    ...common,
    name: 'opens a session to see whether it is open',
    scenario: 'unstable/status',
    breaks: 'R385',
    defect: ({ toKit }) => {
      let isLookedAt = false;
      return {
        hears: (message) => {
          isLookedAt ||= message['method'] === 'session/status';
          if (!isLookedAt || message['method'] !== 'session/prompt') return [message];
          toKit(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result: { stopReason: 'end_turn' } }));
          return [];
        },
      };
    },
  },
  {
    ...common,
    name: 'knows the status of every session',
    scenario: 'unstable/status-unknown',
    breaks: 'R390',
    defect: takes('session/status', { status: 'saved' }),
  },
  {
    ...common,
    name: 'answers with another title than it keeps',
    scenario: 'unstable/title',
    breaks: 'R387',
    defect: misanswering(['session/set_title'], () => ({ title: 'Something else' })),
  },
  {
    ...common,
    name: 'makes up a title after every turn',
    scenario: 'unstable/title',
    breaks: 'R388',
    defect: () => {
      let prompts = 0;
      return {
        hears: (message) => {
          if (message['method'] === 'session/prompt') prompts += 1;
          return [message];
        },
        says: (message) => {
          const [session] = (at(message, 'result', 'sessions') ?? []) as readonly object[];
          const sessions = [{ ...session, title: 'On medlars' }];
          return [session === undefined || prompts < 2 ? message : { ...message, result: { sessions } }];
        },
      };
    },
  },
  {
    ...common,
    name: 'takes an empty title',
    scenario: 'unstable/title-refused',
    breaks: 'R389',
    defect: takes('session/set_title', { title: '' }),
  },
  {
    ...common,
    name: 'wants a login before it says whether it wants one',
    scenario: 'unstable/login-status',
    breaks: 'R391',
    defect: inventing('auth/status', () => ({ error: { code: -32_000, message: 'Authentication required' } })),
  },
  {
    ...common,
    name: 'adds system prompts, however they are meant',
    scenario: 'unstable/system-prompt',
    breaks: 'R392',
    defect: misreading(['session/new'], ({ systemPrompt: _meant, ...params }) => params),
  },
  {
    ...common,
    name: 'refuses system prompts, though it advertises them',
    scenario: 'unstable/system-prompt',
    breaks: 'R393',
    defect: inventing('session/new', ({ systemPrompt }) =>
      systemPrompt === undefined ? undefined : { error: { code: -32_602, message: 'not that' } },
    ),
  },
  {
    ...common,
    name: 'no longer lists a provider that was disabled',
    scenario: 'unstable/providers',
    breaks: 'R400',
    defect: () => {
      let isDisabled = false;
      return {
        hears: (message) => {
          isDisabled ||= message['method'] === 'providers/disable' && at(message, 'params', 'providerId') === 'spare';
          return [message];
        },
        says: (message) => {
          const [first] = (at(message, 'result', 'providers') ?? []) as readonly object[];
          return [first === undefined || !isDisabled ? message : { ...message, result: { providers: [first] } }];
        },
      };
    },
  },
  {
    ...common,
    name: 'disables whatever provider is named',
    scenario: 'unstable/providers',
    breaks: 'R401',
    defect: takes('providers/disable'),
  },
  {
    ...common,
    name: 'keeps the provider it had',
    scenario: 'unstable/providers',
    breaks: 'R404',
    defect: takes('providers/set'),
  },
  {
    ...common,
    name: 'lists the headers of a provider',
    scenario: 'unstable/providers',
    breaks: 'R404',
    defect: () => {
      let headers: unknown;
      return {
        hears: (message) => {
          headers ??= at(message, 'params', 'headers');
          return [message];
        },
        says: (message) => {
          const providers = at(message, 'result', 'providers') as readonly object[] | undefined;
          if (providers === undefined) return [message];
          return [{ ...message, result: { providers: providers.map((each) => ({ ...each, headers })) } }];
        },
      };
    },
  },
  {
    ...common,
    name: 'sets providers that it does not have',
    scenario: 'unstable/providers-unknown',
    breaks: 'R402',
    defect: takes('providers/set'),
  },
  {
    ...common,
    name: 'refuses to disable what it does not have',
    scenario: 'unstable/providers-unknown',
    breaks: 'R403',
    defect: inventing('providers/disable', () => ({ error: { code: -32_602, message: 'there is none' } })),
  },
  {
    ...common,
    name: 'connects no server of the client',
    scenario: 'unstable/mcp',
    breaks: 'R395',
    defect: () => ({ says: (message) => (message['method'] === 'mcp/message' ? [] : [message]) }),
  },
  {
    ...common,
    name: 'takes every client for one that shows plans',
    scenario: 'unstable/plans-not-offered',
    breaks: 'R394',
    defect: misreading(['initialize'], (params) => ({ ...params, clientCapabilities: { plan: {} } })),
  },
];
