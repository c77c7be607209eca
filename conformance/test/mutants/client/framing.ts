import { asMessage, errorOf } from '../../../src/wire/messages.ts';
import { adds, answers, type ClientMutant, crashesAfter, crashesAt, sends } from '../client-mutant.ts';
import { answersTo } from './host-defects.ts';

const otherCode = (code: number, other: number): ReturnType<typeof answers> =>
  answers((message) =>
    errorOf(message)?.code === code ? { ...message, error: { ...asMessage(message['error']), code: other } } : message,
  );

export const framingMutants: readonly ClientMutant[] = [
  {
    name: 'dies in its first turn',
    scenario: 'framing/turn',
    breaks: 'R002',
    needs: 'process',
    defect: crashesAfter('session/prompt'),
  },
  {
    name: 'knows 128 letters',
    scenario: 'framing/letters',
    breaks: 'R001',
    defect: () => ({ says: (_message, text) => [text.replaceAll(/[^ -~]/g, '?')] }),
  },
  {
    name: 'dies when its agent prints on stderr',
    scenario: 'framing/stderr',
    breaks: 'R336',
    needs: 'process',
    defect: crashesAfter('session/prompt'),
  },
  {
    name: 'takes every id for a text',
    scenario: 'framing/unknown-requests',
    breaks: 'R019',
    defect: answers((message) => ({ ...message, id: String(message['id']) })),
  },
  {
    name: 'answers extensions it does not know with another code',
    scenario: 'framing/unknown-requests',
    breaks: 'R284',
    defect: otherCode(-32_601, -32_603),
  },
  {
    name: 'answers methods it does not know with another code',
    scenario: 'framing/unknown-requests',
    breaks: 'R021',
    defect: otherCode(-32_601, -32_603),
  },
  {
    name: 'has another code for wrong parameters',
    scenario: 'framing/invalid-params',
    breaks: 'R021',
    defect: otherCode(-32_602, -32_000),
  },
  {
    name: 'leaves a request unanswered that it cannot read',
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
    name: 'dies of malformed notifications',
    scenario: 'framing/malformed-notifications',
    breaks: 'R336',
    defect: crashesAt('"params":7'),
  },
  {
    name: 'cancels its turn when its agent takes something else back',
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
    name: 'dies of news it does not know',
    scenario: 'framing/notifications',
    breaks: 'R336',
    defect: crashesAt('_turnwire.check/news'),
  },
  {
    name: 'answers a request again that is taken back too late',
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
    name: 'takes the ids of its agent for its own',
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
    name: 'initializes once more for its session',
    scenario: 'initialize/first',
    breaks: 'R053',
    defect: adds('session/new', { id: 'again', method: 'initialize', params: { protocolVersion: 1 } }),
  },
  {
    name: 'does not wait for its session',
    scenario: 'initialize/first',
    breaks: 'R134',
    defect: adds('session/new', {
      id: 'early',
      method: 'session/prompt',
      params: { sessionId: 'session-1', prompt: [] },
    }),
  },
  {
    name: 'continues with a version it does not know',
    scenario: 'initialize/unknown-version',
    breaks: 'R038',
    defect: () => ({ hears: (_message, text) => [text.replace('"protocolVersion":77', '"protocolVersion":1')] }),
  },
  {
    name: 'uses methods of another version',
    scenario: 'initialize/agreed-version',
    breaks: 'R037',
    defect: adds('session/prompt', { id: 'v2', method: 'session/steer', params: {} }),
  },
  ...(['bare', 'everything', 'unknown-capabilities'] as const).map((name): ClientMutant => ({
    name: `dies of capabilities: ${name}`,
    scenario: `initialize/${name}`,
    breaks: 'R336',
    defect: crashesAfter('session/prompt'),
  })),
  {
    name: 'dies of malformed capabilities',
    scenario: 'initialize/malformed-capabilities',
    breaks: 'R336',
    defect: crashesAfter('session/prompt'),
  },
  {
    name: 'takes null for a capability',
    scenario: 'initialize/null-markers',
    breaks: 'R050',
    defect: adds('session/new', { id: 'list', method: 'session/list', params: {} }),
  },
  { name: 'dies of a version that is a text', scenario: 'initialize/version-as-text', breaks: 'R336', defect: crash },
];

export const loginMutants: readonly ClientMutant[] = [
  {
    name: 'makes up a login',
    scenario: 'login/agent',
    breaks: 'R056',
    defect: sends('authenticate', () => ({ methodId: 'made-up' })),
  },
  { name: 'dies when its login fails', scenario: 'login/refused', breaks: 'R336', defect: crashesAt('wrong password') },
  { name: 'dies when there is no login', scenario: 'login/not-there', breaks: 'R336', defect: crashesAt('-32000') },
  { name: 'dies when its login is gone', scenario: 'login/lost', breaks: 'R336', defect: crashesAt('-32000') },
  {
    name: 'logs out of what has no logout',
    scenario: 'login/no-logout',
    breaks: 'R070',
    defect: adds('initialize', { id: 'out', method: 'logout', params: {} }),
  },
  {
    name: 'hands a login at a terminal to the agent',
    scenario: 'login/terminal',
    breaks: 'R063',
    needs: 'process',
    defect: adds('session/new', { id: 'in', method: 'authenticate', params: { methodId: 'at-terminal' } }),
  },
  {
    name: 'leaves out the arguments of a login',
    scenario: 'login/terminal',
    breaks: 'R064',
    needs: 'process',
    quirk: 'logs in without arguments',
  },
  {
    name: 'runs what its agent names to log in',
    scenario: 'login/terminal',
    breaks: 'R064',
    needs: 'process',
    quirk: 'runs what its agent names to log in',
  },
  {
    name: 'takes a login that dies for one',
    scenario: 'login/terminal-killed',
    breaks: 'R066',
    needs: 'process',
    quirk: 'takes every login for one',
  },
  {
    name: 'does not start its agent again after a login',
    scenario: 'login/terminal',
    breaks: 'R067',
    needs: 'process',
    quirk: 'continues after a login',
  },
  {
    name: 'does not look at the exit code of a login',
    scenario: 'login/terminal-failed',
    breaks: 'R066',
    needs: 'process',
    quirk: 'takes every login for one',
  },
];
