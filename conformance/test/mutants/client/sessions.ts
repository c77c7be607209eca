import { asMessage } from '../../../src/wire/messages.ts';
import { answers, believes, type ClientMutant, crashesAfter, crashesAt, deafTo, sends } from '../client-mutant.ts';

const blocks = (change: (block: Readonly<Record<string, unknown>>) => unknown): ReturnType<typeof sends> =>
  sends('session/prompt', (params) => ({
    ...params,
    prompt: (params['prompt'] as readonly Readonly<Record<string, unknown>>[]).map(change),
  }));

export const sessionsMutants: readonly ClientMutant[] = [
  {
    name: 'loads from an agent that cannot',
    scenario: 'sessions/cannot-load',
    breaks: 'R083',
    defect: believes({ loadSession: true }),
  },
  {
    name: 'resumes with an agent that cannot',
    scenario: 'sessions/cannot-load',
    breaks: 'R090',
    defect: believes({ sessionCapabilities: { resume: {} } }),
  },
  {
    name: 'lists what nobody lists',
    scenario: 'sessions/cannot-list',
    breaks: 'R115',
    defect: believes({ sessionCapabilities: { list: {} } }),
  },
  {
    name: 'closes what has no close',
    scenario: 'sessions/cannot-close',
    breaks: 'R093',
    defect: believes({ sessionCapabilities: { close: {} } }),
  },
  {
    name: 'deletes what has no delete',
    scenario: 'sessions/cannot-delete',
    breaks: 'R130',
    defect: believes({ sessionCapabilities: { delete: {} } }),
  },
  {
    name: 'forks a session that it does not name',
    scenario: 'unstable/fork',
    breaks: 'R371',
    defect: sends('session/fork', ({ cwd }) => ({ cwd })),
  },
  {
    name: 'forks with an agent that cannot',
    scenario: 'unstable/cannot-fork',
    breaks: 'R372',
    defect: believes({ sessionCapabilities: { fork: {} } }),
  },
  {
    name: 'shows nothing more once the login has changed',
    scenario: 'unstable/login-status',
    breaks: 'R396',
    defect: deafTo('auth/status_update'),
  },
  {
    name: 'shows nothing more after a plan with an id',
    scenario: 'unstable/plans',
    breaks: 'R397',
    defect: deafTo('plan_update', { plan: {} }),
  },
  {
    name: 'shows nothing more after a session that was started by a session',
    scenario: 'unstable/subagents',
    breaks: 'R397',
    defect: deafTo('subagent_update', { subagents: {} }),
  },
  {
    name: 'answers for servers that it never declared',
    scenario: 'unstable/mcp-undeclared',
    breaks: 'R398',
    defect: answers(({ id }) => ({ jsonrpc: '2.0', id, result: { result: { tools: [] } } })),
  },
  {
    name: 'leaves out its MCP servers',
    scenario: 'sessions/new',
    breaks: 'R076',
    defect: sends('session/new', ({ cwd }) => ({ cwd })),
  },
  {
    name: 'names its folder as it sees it',
    scenario: 'sessions/new',
    breaks: 'R079',
    defect: sends('session/new', (params) => ({ ...params, cwd: '.' })),
  },
  {
    name: 'loads without a folder',
    scenario: 'sessions/load',
    breaks: 'R084',
    defect: sends('session/load', ({ sessionId }) => ({ sessionId })),
  },
  {
    name: 'dies when a session cannot be loaded',
    scenario: 'sessions/load-refused',
    breaks: 'R336',
    defect: crashesAt('no such session'),
  },
  {
    name: 'dies in its second turn',
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
    name: 'asks for pages after the last',
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
    name: 'gives folders to an agent that takes none',
    scenario: 'sessions/no-directories',
    breaks: 'R096',
    defect: sends('session/new', (params) => ({ ...params, additionalDirectories: ['/tmp'] })),
  },
  {
    name: 'names more folders as it sees them',
    scenario: 'sessions/directories',
    breaks: 'R097',
    defect: sends('session/new', (params) => ({ ...params, additionalDirectories: ['../library'] })),
  },
  {
    name: 'names its folder twice',
    scenario: 'sessions/directory-of-the-session',
    breaks: 'R102',
    defect: sends('session/new', (params) => ({ ...params, additionalDirectories: [params['cwd']] })),
  },
  {
    name: 'dies of nulls',
    scenario: 'sessions/nulls',
    breaks: 'R336',
    defect: crashesAt('"modes":null'),
  },
  {
    name: 'dies of a refusal',
    scenario: 'prompt/stop-reasons',
    breaks: 'R336',
    defect: crashesAt('"refusal"'),
  },
  {
    name: 'breaks letters that come in pieces',
    scenario: 'misbehaving/split-letters',
    breaks: 'R001',
    needs: 'process',
    quirk: 'breaks letters that come in pieces',
  },
  {
    name: 'takes it that an agent knows its folders',
    scenario: 'sessions/directories-again',
    breaks: 'R099',
    defect: sends('session/load', ({ additionalDirectories: _, ...params }) => params),
  },
  {
    name: 'names a program by its short name',
    scenario: 'sessions/servers',
    breaks: 'R112',
    defect: sends('session/new', (params) => ({
      ...params,
      mcpServers: [{ name: 'program', command: 'node', args: [], env: [] }],
    })),
  },
  {
    name: 'names servers of a type the agent does not know',
    scenario: 'sessions/no-http-servers',
    breaks: 'R108',
    defect: believes({ mcpCapabilities: { http: true } }),
  },
  {
    name: 'names servers of an old type that the agent does not know',
    scenario: 'sessions/no-sse-servers',
    breaks: 'R108',
    defect: believes({ mcpCapabilities: { sse: true } }),
  },
  {
    name: 'has its own way to say a command',
    scenario: 'prompt/command',
    breaks: 'R277',
    defect: blocks((block) => ({ ...block, text: String(block['text']).replace('/web', '[command: web]') })),
  },
  {
    name: 'shows pictures to an agent that cannot see',
    scenario: 'prompt/no-image',
    breaks: 'R135',
    defect: believes({ promptCapabilities: { image: true } }),
  },
  {
    name: 'sends pictures without what they are',
    scenario: 'prompt/image',
    breaks: 'R234',
    defect: blocks(({ mimeType: _, ...block }) => block),
  },
  {
    name: 'encodes pictures twice',
    scenario: 'prompt/image',
    breaks: 'R234',
    defect: blocks((block) =>
      block['type'] === 'image' ? { ...block, data: Buffer.from(String(block['data'])).toString('base64') } : block,
    ),
  },
  {
    name: 'has a path for the place of a file',
    scenario: 'prompt/resource',
    breaks: 'R235',
    defect: blocks((block) =>
      block['type'] === 'resource' ? { ...block, resource: { uri: 'notes.txt', text: 'x' } } : block,
    ),
  },
  {
    name: 'sends files to an agent that cannot read them',
    scenario: 'prompt/no-resource',
    breaks: 'R237',
    defect: believes({ promptCapabilities: { embeddedContext: true } }),
  },
  {
    name: 'sends files without their place',
    scenario: 'prompt/resource',
    breaks: 'R235',
    defect: blocks((block) => (block['type'] === 'resource' ? { ...block, resource: { text: 'x' } } : block)),
  },
];

export const turnsMutants: readonly ClientMutant[] = [
  {
    name: 'tries again what was refused for good',
    scenario: 'sessions/refused-for-good',
    breaks: 'R330',
    defect: () => ({
      says: (message) => (message['method'] === 'session/new' ? [message, { ...message, id: 'again' }] : [message]),
    }),
  },
  {
    name: 'tries a prompt again that was refused for good',
    scenario: 'prompt/refused-for-good',
    breaks: 'R330',
    defect: () => ({
      says: (message) => (message['method'] === 'session/prompt' ? [message, { ...message, id: 'again' }] : [message]),
    }),
  },
  {
    name: 'starts its agent again at once',
    scenario: 'shutdown/exits-always',
    breaks: 'R329',
    quirk: 'starts its agent again at once',
  },
  {
    name: 'takes the end of its agent for the end of its turn',
    scenario: 'shutdown/killed',
    breaks: 'R338',
    needs: 'process',
    quirk: 'tells nobody, and ends well',
  },
  {
    name: 'takes a turn that failed for one that ended',
    scenario: 'misbehaving/turn-fails',
    breaks: 'R338',
    quirk: 'tells nobody, and ends well',
  },
  ...['misbehaving/session-refused', 'misbehaving/no-result', 'sessions/cannot-list'].map((scenario): ClientMutant => ({
    name: `ends without a word: ${scenario}`,
    scenario,
    breaks: 'R338',
    quirk: 'tells nobody',
  })),
  {
    name: 'starts its agent for ever',
    scenario: 'shutdown/exits-always',
    breaks: 'R329',
    quirk: 'starts its agent for ever',
  },
  {
    name: 'answers what is taken back with an error of its own',
    scenario: 'cancel/taken-back',
    breaks: 'R172',
    defect: answers(({ result: _, ...message }) => ({ ...message, error: { code: -32_603, message: 'gone' } })),
  },
  ...['escape-sequences', 'escape-sequences-at-terminal'].map((id): ClientMutant => ({
    name: `prints what it is told as it came: ${id}`,
    scenario: `misbehaving/${id}`,
    breaks: 'R339',
    quirk: 'prints what it is told as it came',
  })),
  {
    name: 'shows nothing more after an update it does not know',
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
    name: 'shows what is said elsewhere',
    scenario: 'updates/another-session',
    breaks: 'R399',
    defect: () => ({ hears: (_message, text) => [text.replace('-of-somebody-else', '')] }),
  },
  {
    name: 'dies of what comes after a cancel',
    scenario: 'cancel/turn',
    breaks: 'R163',
    defect: crashesAfter('session/cancel'),
  },
  ...(['R157', 'R199'] as const).map((breaks): ClientMutant => ({
    name: `allows what waits when a turn is cancelled: ${breaks}`,
    scenario: 'cancel/permissions',
    breaks,
    defect: answers((message) =>
      asMessage(message['result'])?.['outcome'] === undefined
        ? message
        : { ...message, result: { outcome: { outcome: 'selected', optionId: 'yes' } } },
    ),
  })),
  {
    name: 'refuses what waits with an error of its own',
    scenario: 'cancel/permissions',
    breaks: 'R175',
    defect: answers(({ result: _, ...message }) => ({ ...message, error: { code: -32_603, message: 'cancelled' } })),
  },
  ...['ends-all-the-same', 'ends-with-an-error', 'ends-late'].map((id): ClientMutant => ({
    name: `dies of a cancelled turn: ${id}`,
    scenario: `cancel/${id}`,
    breaks: 'R336',
    defect: crashesAfter('session/cancel'),
  })),
  {
    name: 'waits for the end of a cancelled turn for ever',
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
    name: `waits for an agent that left: at ${at}`,
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
    name: 'does not end when the stdout of its agent does, nor when it is interrupted',
    scenario: 'shutdown/stdout-closed',
    breaks: 'R013',
    needs: 'process',
    ends: 'never',
  },
  {
    name: 'waits for an agent that exits with another code',
    scenario: 'shutdown/odd-exit-code',
    breaks: 'R011',
    needs: 'process',
    ends: 'when interrupted',
  },
];
