import { at } from '../../../../src/wire/messages.ts';
import type { Mutant } from '../../mutant-line.ts';
import { inventing, misanswering, misreading, promptIn } from './defects.ts';

const common = { judges: 'agent', needs: 'unstable' } as const;
const takes = (method: string, result = {}): Mutant['defect'] => inventing(method, () => ({ result }));

/** Agents with faults in unstable methods. */
export const unstableMutants: readonly Mutant[] = [
  {
    ...common,
    name: 'answers a fork with the original session',
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
    name: 'adds prompts of a fork to the original session',
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
    name: 'does not report which sessions are archived',
    scenario: 'unstable/archive',
    breaks: 'R381',
    defect: misanswering(['session/list'], ({ sessions }) => ({
      sessions: (sessions as readonly object[]).map((session) => ({ ...session, archived: undefined })),
    })),
  },
  {
    ...common,
    name: 'refuses to archive a session twice',
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
    name: 'archives sessions that do not exist',
    scenario: 'unstable/archive-again',
    breaks: 'R390',
    defect: inventing('session/archive', ({ sessionId }) =>
      String(sessionId).startsWith('turnwire') ? { result: {} } : undefined,
    ),
  },
  {
    ...common,
    name: 'treats every archive filter as the default',
    scenario: 'unstable/archive-filter',
    breaks: 'R382',
    defect: misreading(['session/list'], ({ cwd }) => ({ cwd })),
  },
  {
    ...common,
    name: 'archives a session but continues its turn',
    scenario: 'unstable/archive-turn',
    breaks: 'R383',
    defect: takes('session/archive'),
  },
  {
    ...common,
    name: 'reports an open session as stored',
    scenario: 'unstable/status',
    breaks: 'R386',
    defect: takes('session/status', { status: 'saved' }),
  },
  {
    ...common,
    name: 'opens a session to report its status',
    scenario: 'unstable/status',
    breaks: 'R385',
    defect: ({ toKit }) => {
      let hasStatus = false;
      return {
        hears: (message) => {
          hasStatus ||= message['method'] === 'session/status';
          if (!hasStatus || message['method'] !== 'session/prompt') return [message];
          toKit(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result: { stopReason: 'end_turn' } }));
          return [];
        },
      };
    },
  },
  {
    ...common,
    name: 'reports a status for sessions that do not exist',
    scenario: 'unstable/status-unknown',
    breaks: 'R390',
    defect: takes('session/status', { status: 'saved' }),
  },
  {
    ...common,
    name: 'answers with another title than it stores',
    scenario: 'unstable/title',
    breaks: 'R387',
    defect: misanswering(['session/set_title'], () => ({ title: 'Something else' })),
  },
  {
    ...common,
    name: 'replaces the title after every turn',
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
    name: 'accepts an empty title',
    scenario: 'unstable/title-refused',
    breaks: 'R389',
    defect: takes('session/set_title', { title: '' }),
  },
  {
    ...common,
    name: 'requires a login for auth/status',
    scenario: 'unstable/login-status',
    breaks: 'R391',
    defect: inventing('auth/status', () => ({ error: { code: -32_000, message: 'Authentication required' } })),
  },
  {
    ...common,
    name: 'ignores the mode of a system prompt',
    scenario: 'unstable/system-prompt',
    breaks: 'R392',
    defect: misreading(['session/new'], ({ systemPrompt: _meant, ...params }) => params),
  },
  {
    ...common,
    name: 'refuses system prompts although it advertises them',
    scenario: 'unstable/system-prompt',
    breaks: 'R393',
    defect: inventing('session/new', ({ systemPrompt }) =>
      systemPrompt === undefined ? undefined : { error: { code: -32_602, message: 'not that' } },
    ),
  },
  {
    ...common,
    name: 'no longer lists a disabled provider',
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
    name: 'disables a required provider',
    scenario: 'unstable/providers',
    breaks: 'R401',
    defect: takes('providers/disable'),
  },
  {
    ...common,
    name: 'keeps the previous provider settings',
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
    name: 'sets providers that do not exist',
    scenario: 'unstable/providers-unknown',
    breaks: 'R402',
    defect: takes('providers/set'),
  },
  {
    ...common,
    name: 'refuses to disable a provider that does not exist',
    scenario: 'unstable/providers-unknown',
    breaks: 'R403',
    defect: inventing('providers/disable', () => ({ error: { code: -32_602, message: 'there is none' } })),
  },
  {
    ...common,
    name: 'connects to no MCP server of the client',
    scenario: 'unstable/mcp',
    breaks: 'R395',
    defect: () => ({ says: (message) => (message['method'] === 'mcp/message' ? [] : [message]) }),
  },
  {
    ...common,
    name: 'sends unstable plans to every client',
    scenario: 'unstable/plans-not-offered',
    breaks: 'R394',
    defect: misreading(['initialize'], (params) => ({ ...params, clientCapabilities: { plan: {} } })),
  },
];
