import { asMessage, errorOf } from '../../../src/wire/messages.ts';
import { adds, answers, type ClientMutant, crashesAfter, crashesAt, sends } from '../client-mutant.ts';
import { answersTo } from './host-defects.ts';

const otherCode = (code: number, other: number): ReturnType<typeof answers> =>
  answers((message) =>
    errorOf(message)?.code === code ? { ...message, error: { ...asMessage(message['error']), code: other } } : message,
  );

export const framingMutants: readonly ClientMutant[] = [
  {
    name: 'crashes in its first turn',
    scenario: 'framing/turn',
    breaks: 'R002',
    needs: 'process',
    defect: crashesAfter('session/prompt'),
  },
  {
    name: 'supports only ASCII',
    scenario: 'framing/letters',
    breaks: 'R001',
    defect: () => ({ says: (_message, text) => [text.replaceAll(/[^ -~]/g, '?')] }),
  },
  {
    name: 'crashes when its agent prints on stderr',
    scenario: 'framing/stderr',
    breaks: 'R336',
    needs: 'process',
    defect: crashesAfter('session/prompt'),
  },
  {
    name: 'converts every id to a string',
    scenario: 'framing/unknown-requests',
    breaks: 'R019',
    defect: answers((message) => ({ ...message, id: String(message['id']) })),
  },
  {
    name: 'answers unknown extensions with another error code',
    scenario: 'framing/unknown-requests',
    breaks: 'R284',
    defect: otherCode(-32_601, -32_603),
  },
  {
    name: 'answers unknown methods with another error code',
    scenario: 'framing/unknown-requests',
    breaks: 'R021',
    defect: otherCode(-32_601, -32_603),
  },
  {
    name: 'answers wrong parameters with another error code',
    scenario: 'framing/invalid-params',
    breaks: 'R021',
    defect: otherCode(-32_602, -32_000),
  },
  {
    name: 'does not answer a request that it cannot parse',
    scenario: 'framing/invalid-params',
    breaks: 'R019',
    defect: answersTo('session/request_permission', () => []),
  },
  {
    name: 'answers malformed notifications',
    scenario: 'framing/malformed-notifications',
    breaks: 'R018',
    defect: ({ toKit }) => ({
      hears: (message, text) => {
        if (message['params'] === 7) toKit('{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"?"}}');
        return [text];
      },
    }),
  },
  {
    name: 'crashes on malformed notifications',
    scenario: 'framing/malformed-notifications',
    breaks: 'R336',
    defect: crashesAt('"params":7'),
  },
  {
    name: 'cancels its turn when its agent cancels another request',
    scenario: 'framing/cancel-request',
    breaks: 'R177',
    defect: ({ toKit }) => ({
      hears: (message, text) => {
        if (message['method'] === '$/cancel_request')
          toKit('{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"session-1"}}');
        return [text];
      },
    }),
  },
  {
    name: 'answers notifications',
    scenario: 'framing/notifications',
    breaks: 'R018',
    defect: ({ toKit }) => ({
      hears: (message, text) => {
        if (message['method'] === '_turnwire.check/news')
          toKit('{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"?"}}');
        return [text];
      },
    }),
  },
  {
    name: 'crashes on unknown updates',
    scenario: 'framing/notifications',
    breaks: 'R336',
    defect: crashesAt('_turnwire.check/news'),
  },
  {
    name: 'answers a finished request again after its cancellation',
    scenario: 'framing/cancel-request',
    breaks: 'R173',
    defect: ({ toKit }) => ({
      hears: (message, text) => {
        const requestId = asMessage(message['params'])?.['requestId'];
        if (requestId === 'asked')
          toKit('{"jsonrpc":"2.0","id":"asked","error":{"code":-32800,"message":"cancelled"}}');
        return [text];
      },
    }),
  },
  {
    name: 'confuses the ids of its agent with its own',
    scenario: 'framing/cancel-request',
    breaks: 'R336',
    defect: crashesAt('$/cancel_request'),
  },
];

const crash = crashesAt('"protocolVersion"');

export const initializeMutants: readonly ClientMutant[] = [
  {
    name: 'does not wait for the answer to initialize',
    scenario: 'initialize/first',
    breaks: 'R030',
    defect: adds('initialize', { id: 'early', method: 'session/new', params: { cwd: '/', mcpServers: [] } }),
  },
  {
    name: 'initializes again for its session',
    scenario: 'initialize/first',
    breaks: 'R053',
    defect: adds('session/new', { id: 'again', method: 'initialize', params: { protocolVersion: 1 } }),
  },
  {
    name: 'does not wait for session/new',
    scenario: 'initialize/first',
    breaks: 'R134',
    defect: adds('session/new', {
      id: 'early',
      method: 'session/prompt',
      params: { sessionId: 'session-1', prompt: [] },
    }),
  },
  {
    name: 'continues with an unknown version',
    scenario: 'initialize/unknown-version',
    breaks: 'R038',
    defect: () => ({ hears: (_message, text) => [text.replace('"protocolVersion":77', '"protocolVersion":1')] }),
  },
  {
    name: 'calls methods of another version',
    scenario: 'initialize/agreed-version',
    breaks: 'R037',
    defect: adds('session/prompt', { id: 'v2', method: 'session/steer', params: {} }),
  },
  ...(['bare', 'everything', 'unknown-capabilities'] as const).map((name): ClientMutant => ({
    name: `crashes on capabilities: ${name}`,
    scenario: `initialize/${name}`,
    breaks: 'R336',
    defect: crashesAfter('session/prompt'),
  })),
  {
    name: 'crashes on malformed capabilities',
    scenario: 'initialize/malformed-capabilities',
    breaks: 'R336',
    defect: crashesAfter('session/prompt'),
  },
  {
    name: 'treats null as a capability',
    scenario: 'initialize/null-markers',
    breaks: 'R050',
    defect: adds('session/new', { id: 'list', method: 'session/list', params: {} }),
  },
  { name: 'dies of a version that is a text', scenario: 'initialize/version-as-text', breaks: 'R336', defect: crash },
];

export const loginMutants: readonly ClientMutant[] = [
  {
    name: 'authenticates with an invented method',
    scenario: 'login/agent',
    breaks: 'R056',
    defect: sends('authenticate', () => ({ methodId: 'made-up' })),
  },
  { name: 'dies when its login fails', scenario: 'login/refused', breaks: 'R336', defect: crashesAt('wrong password') },
  { name: 'dies when there is no login', scenario: 'login/not-there', breaks: 'R336', defect: crashesAt('-32000') },
  { name: 'dies when its login is gone', scenario: 'login/lost', breaks: 'R336', defect: crashesAt('-32000') },
  {
    name: 'logs out of an agent without logout',
    scenario: 'login/no-logout',
    breaks: 'R070',
    defect: adds('initialize', { id: 'out', method: 'logout', params: {} }),
  },
  {
    name: 'sends a terminal login to the agent',
    scenario: 'login/terminal',
    breaks: 'R063',
    needs: 'process',
    defect: adds('session/new', { id: 'in', method: 'authenticate', params: { methodId: 'at-terminal' } }),
  },
  {
    name: 'drops the arguments of a login',
    scenario: 'login/terminal',
    breaks: 'R064',
    needs: 'process',
    quirk: 'logs in without arguments',
  },
  {
    name: 'runs the command that its agent names for a login',
    scenario: 'login/terminal',
    breaks: 'R064',
    needs: 'process',
    quirk: 'runs the login command of its agent',
  },
  {
    name: 'treats a login that was killed as successful',
    scenario: 'login/terminal-killed',
    breaks: 'R066',
    needs: 'process',
    quirk: 'treats every login as successful',
  },
  {
    name: 'does not restart its agent after a login',
    scenario: 'login/terminal',
    breaks: 'R067',
    needs: 'process',
    quirk: 'continues after a login',
  },
  {
    name: 'ignores the exit code of a login',
    scenario: 'login/terminal-failed',
    breaks: 'R066',
    needs: 'process',
    quirk: 'treats every login as successful',
  },
];
