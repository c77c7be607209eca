import { asMessage } from '../../../src/wire/messages.ts';
import { answers, believes, type ClientMutant, crashesAfter, crashesAt, deafTo, sends } from '../client-mutant.ts';

const blocks = (change: (block: Readonly<Record<string, unknown>>) => unknown): ReturnType<typeof sends> =>
  sends('session/prompt', (params) => ({
    ...params,
    prompt: (params['prompt'] as readonly Readonly<Record<string, unknown>>[]).map(change),
  }));

export const sessionsMutants: readonly ClientMutant[] = [
  {
    name: 'loads sessions from an agent without loadSession',
    scenario: 'sessions/cannot-load',
    breaks: 'R083',
    defect: believes({ loadSession: true }),
  },
  {
    name: 'resumes sessions with an agent without resume',
    scenario: 'sessions/cannot-load',
    breaks: 'R090',
    defect: believes({ sessionCapabilities: { resume: {} } }),
  },
  {
    name: 'lists sessions of an agent without list',
    scenario: 'sessions/cannot-list',
    breaks: 'R115',
    defect: believes({ sessionCapabilities: { list: {} } }),
  },
  {
    name: 'closes sessions of an agent without close',
    scenario: 'sessions/cannot-close',
    breaks: 'R093',
    defect: believes({ sessionCapabilities: { close: {} } }),
  },
  {
    name: 'deletes sessions of an agent without delete',
    scenario: 'sessions/cannot-delete',
    breaks: 'R130',
    defect: believes({ sessionCapabilities: { delete: {} } }),
  },
  {
    name: 'forks a session without naming it',
    scenario: 'unstable/fork',
    breaks: 'R371',
    defect: sends('session/fork', ({ cwd }) => ({ cwd })),
  },
  {
    name: 'forks sessions of an agent without fork',
    scenario: 'unstable/cannot-fork',
    breaks: 'R372',
    defect: believes({ sessionCapabilities: { fork: {} } }),
  },
  {
    name: 'shows nothing after a change of the login',
    scenario: 'unstable/login-status',
    breaks: 'R396',
    defect: deafTo('auth/status_update'),
  },
  {
    name: 'shows nothing after a plan with an id',
    scenario: 'unstable/plans',
    breaks: 'R397',
    defect: deafTo('plan_update', { plan: {} }),
  },
  {
    name: 'shows nothing after a session started by a session',
    scenario: 'unstable/subagents',
    breaks: 'R397',
    defect: deafTo('subagent_update', { subagents: {} }),
  },
  {
    name: 'answers for MCP servers that it never declared',
    scenario: 'unstable/mcp-undeclared',
    breaks: 'R398',
    defect: answers(({ id }) => ({ jsonrpc: '2.0', id, result: { result: { tools: [] } } })),
  },
  {
    name: 'does not send its MCP servers',
    scenario: 'sessions/new',
    breaks: 'R076',
    defect: sends('session/new', ({ cwd }) => ({ cwd })),
  },
  {
    name: 'sends a relative working directory',
    scenario: 'sessions/new',
    breaks: 'R079',
    defect: sends('session/new', (params) => ({ ...params, cwd: '.' })),
  },
  {
    name: 'loads a session without a working directory',
    scenario: 'sessions/load',
    breaks: 'R084',
    defect: sends('session/load', ({ sessionId }) => ({ sessionId })),
  },
  {
    name: 'crashes when a session cannot be loaded',
    scenario: 'sessions/load-refused',
    breaks: 'R336',
    defect: crashesAt('no such session'),
  },
  {
    name: 'crashes in its second turn',
    scenario: 'sessions/two-prompts',
    breaks: 'R336',
    defect: (tampering) => {
      let prompts = 0;
      return {
        says: (message, text) => {
          if (message['method'] === 'session/prompt' && ++prompts === 2) tampering.crash();
          return [text];
        },
      };
    },
  },
  {
    name: 'requests pages after the last one',
    scenario: 'sessions/list-pages',
    breaks: 'R119',
    defect: () => ({
      hears: (message) => {
        const result = asMessage(message['result']);
        const isLast = result?.['sessions'] !== undefined && result['nextCursor'] === undefined;
        return [isLast ? { ...message, result: { ...result, nextCursor: 'more' } } : message];
      },
    }),
  },
  {
    name: 'trims cursors',
    scenario: 'sessions/list-pages',
    breaks: 'R120',
    defect: sends('session/list', (params) =>
      params['cursor'] === undefined ? params : { ...params, cursor: JSON.stringify(params['cursor']) },
    ),
  },
  { name: 'is held by a list that never ends', scenario: 'sessions/list-endless', breaks: 'R336', ends: 'never' },
  {
    name: 'sends additional directories to an agent without them',
    scenario: 'sessions/no-directories',
    breaks: 'R096',
    defect: sends('session/new', (params) => ({ ...params, additionalDirectories: ['/tmp'] })),
  },
  {
    name: 'sends relative additional directories',
    scenario: 'sessions/directories',
    breaks: 'R097',
    defect: sends('session/new', (params) => ({ ...params, additionalDirectories: ['../library'] })),
  },
  {
    name: 'repeats its working directory as an additional one',
    scenario: 'sessions/directory-of-the-session',
    breaks: 'R102',
    defect: sends('session/new', (params) => ({ ...params, additionalDirectories: [params['cwd']] })),
  },
  {
    name: 'crashes on null values',
    scenario: 'sessions/nulls',
    breaks: 'R336',
    defect: crashesAt('"modes":null'),
  },
  {
    name: 'crashes on a refusal',
    scenario: 'prompt/stop-reasons',
    breaks: 'R336',
    defect: crashesAt('"refusal"'),
  },
  {
    name: 'breaks characters that arrive in pieces',
    scenario: 'misbehaving/split-letters',
    breaks: 'R001',
    needs: 'process',
    quirk: 'breaks characters that arrive in pieces',
  },
  {
    name: 'does not send its directories when it restores a session',
    scenario: 'sessions/directories-again',
    breaks: 'R099',
    defect: sends('session/load', ({ additionalDirectories: _, ...params }) => params),
  },
  {
    name: 'sends a relative path for an MCP server program',
    scenario: 'sessions/servers',
    breaks: 'R112',
    defect: sends('session/new', (params) => ({
      ...params,
      mcpServers: [{ name: 'program', command: 'node', args: [], env: [] }],
    })),
  },
  {
    name: 'sends MCP servers over HTTP to an agent without HTTP',
    scenario: 'sessions/no-http-servers',
    breaks: 'R108',
    defect: believes({ mcpCapabilities: { http: true } }),
  },
  {
    name: 'sends MCP servers over SSE to an agent without SSE',
    scenario: 'sessions/no-sse-servers',
    breaks: 'R108',
    defect: believes({ mcpCapabilities: { sse: true } }),
  },
  {
    name: 'sends an invalid description of an MCP server program',
    scenario: 'prompt/command',
    breaks: 'R277',
    defect: blocks((block) => ({ ...block, text: String(block['text']).replace('/web', '[command: web]') })),
  },
  {
    name: 'sends images to an agent without images',
    scenario: 'prompt/no-image',
    breaks: 'R135',
    defect: believes({ promptCapabilities: { image: true } }),
  },
  {
    name: 'sends images without their MIME type',
    scenario: 'prompt/image',
    breaks: 'R234',
    defect: blocks(({ mimeType: _, ...block }) => block),
  },
  {
    name: 'encodes images twice',
    scenario: 'prompt/image',
    breaks: 'R234',
    defect: blocks((block) =>
      block['type'] === 'image' ? { ...block, data: Buffer.from(String(block['data'])).toString('base64') } : block,
    ),
  },
  {
    name: 'sends a path instead of a URI',
    scenario: 'prompt/resource',
    breaks: 'R235',
    defect: blocks((block) =>
      block['type'] === 'resource' ? { ...block, resource: { uri: 'notes.txt', text: 'x' } } : block,
    ),
  },
  {
    name: 'sends embedded files to an agent without them',
    scenario: 'prompt/no-resource',
    breaks: 'R237',
    defect: believes({ promptCapabilities: { embeddedContext: true } }),
  },
  {
    name: 'sends files without their URI',
    scenario: 'prompt/resource',
    breaks: 'R235',
    defect: blocks((block) => (block['type'] === 'resource' ? { ...block, resource: { text: 'x' } } : block)),
  },
];

export const turnsMutants: readonly ClientMutant[] = [
  {
    name: 'repeats a permanently refused call',
    scenario: 'sessions/refused-for-good',
    breaks: 'R330',
    defect: () => ({
      says: (message) => (message['method'] === 'session/new' ? [message, { ...message, id: 'again' }] : [message]),
    }),
  },
  {
    name: 'repeats a permanently refused prompt',
    scenario: 'prompt/refused-for-good',
    breaks: 'R330',
    defect: () => ({
      says: (message) => (message['method'] === 'session/prompt' ? [message, { ...message, id: 'again' }] : [message]),
    }),
  },
  {
    name: 'restarts its agent at once',
    scenario: 'shutdown/exits-always',
    breaks: 'R329',
    quirk: 'restarts its agent at once',
  },
  {
    name: 'treats the exit of its agent as the end of the turn',
    scenario: 'shutdown/killed',
    breaks: 'R338',
    needs: 'process',
    quirk: 'reports no failure and exits with 0',
  },
  {
    name: 'treats a failed turn as successful',
    scenario: 'misbehaving/turn-fails',
    breaks: 'R338',
    quirk: 'reports no failure and exits with 0',
  },
  ...['misbehaving/session-refused', 'misbehaving/no-result', 'sessions/cannot-list'].map((scenario): ClientMutant => ({
    name: `exits without a message: ${scenario}`,
    scenario,
    breaks: 'R338',
    quirk: 'reports no failure',
  })),
  {
    name: 'restarts its agent endlessly',
    scenario: 'shutdown/exits-always',
    breaks: 'R329',
    quirk: 'restarts its agent endlessly',
  },
  {
    name: 'answers a cancelled request with another error',
    scenario: 'cancel/taken-back',
    breaks: 'R172',
    defect: answers(({ result: _, ...message }) => ({ ...message, error: { code: -32_603, message: 'gone' } })),
  },
  ...['escape-sequences', 'escape-sequences-at-terminal'].map((id): ClientMutant => ({
    name: `prints control sequences unchanged: ${id}`,
    scenario: `misbehaving/${id}`,
    breaks: 'R339',
    quirk: 'prints control sequences unchanged',
  })),
  {
    name: 'shows nothing after an unknown update',
    scenario: 'updates/unknown-variant',
    breaks: 'R168',
    defect: () => {
      let isDeaf = false;
      return {
        hears: (message, text) => {
          isDeaf ||= text.includes('x_future');
          return isDeaf && message['method'] === 'session/update' ? [] : [text];
        },
      };
    },
  },
  {
    name: 'shows messages of other sessions',
    scenario: 'updates/another-session',
    breaks: 'R399',
    defect: () => ({ hears: (_message, text) => [text.replace('-of-somebody-else', '')] }),
  },
  {
    name: 'crashes on updates after a cancel',
    scenario: 'cancel/turn',
    breaks: 'R163',
    defect: crashesAfter('session/cancel'),
  },
  ...(['R157', 'R199'] as const).map((breaks): ClientMutant => ({
    name: `allows pending requests when a turn is cancelled: ${breaks}`,
    scenario: 'cancel/permissions',
    breaks,
    defect: answers((message) =>
      asMessage(message['result'])?.['outcome'] === undefined
        ? message
        : { ...message, result: { outcome: { outcome: 'selected', optionId: 'yes' } } },
    ),
  })),
  {
    name: 'answers pending requests of a cancelled turn with another error',
    scenario: 'cancel/permissions',
    breaks: 'R175',
    defect: answers(({ result: _, ...message }) => ({ ...message, error: { code: -32_603, message: 'cancelled' } })),
  },
  ...['ends-all-the-same', 'ends-with-an-error', 'ends-late'].map((id): ClientMutant => ({
    name: `crashes on a cancelled turn: ${id}`,
    scenario: `cancel/${id}`,
    breaks: 'R336',
    defect: crashesAfter('session/cancel'),
  })),
  {
    name: 'never exits after a cancelled turn',
    scenario: 'cancel/never-ends',
    breaks: 'R336',
    ends: 'never',
  },
  {
    name: 'leaves its agent running',
    scenario: 'shutdown/input-first',
    breaks: 'R011',
    needs: 'process',
    quirk: 'leaves its agent running',
  },
  ...['initialize', 'new', 'prompt'].map((at): ClientMutant => ({
    name: `waits for an agent that exited: at ${at}`,
    scenario: `shutdown/exit-at-${at}`,
    breaks: 'R013',
    ends: 'when interrupted',
  })),
  {
    name: 'waits for an agent that is gone',
    scenario: 'shutdown/killed',
    breaks: 'R013',
    needs: 'process',
    ends: 'when interrupted',
  },
  {
    name: 'does not exit when its agent closes stdout, nor when it is interrupted',
    scenario: 'shutdown/stdout-closed',
    breaks: 'R013',
    needs: 'process',
    ends: 'never',
  },
  {
    name: 'waits for an agent that exits with a nonzero code',
    scenario: 'shutdown/odd-exit-code',
    breaks: 'R011',
    needs: 'process',
    ends: 'when interrupted',
  },
];
