import { asMessage, at } from '../../../src/wire/messages.ts';
import { answering, erring, errorLine, paramsOf, resultLine } from '../agent/protocol/said.ts';
import { answers, initialized, receives, refuses, results, type Version2Mutant } from './tampered.ts';

export const protocolMutants: readonly Version2Mutant[] = [
  {
    name: 'processes batches',
    scenario: 'envelope/batch',
    breaks: 'V001',
    defect: () => ({
      hears: (message) => [message],
      hearsNoise: (text) =>
        text.startsWith('[') ? (JSON.parse(text) as unknown[]).map((each) => JSON.stringify(each)) : [text],
    }),
  },
  {
    name: 'answers requests with the id null',
    scenario: 'envelope/ids',
    breaks: 'V002',
    defect: answering((message) => (message['id'] === null ? errorLine(message, -32_601) : undefined)),
  },
  {
    name: 'refuses ids that it uses itself',
    scenario: 'envelope/same-id',
    breaks: 'V003',
    defect: answering((message) =>
      message['method'] === '_turnwire.dev/nothing' && typeof message['id'] === 'number'
        ? errorLine(message, -32_600)
        : undefined,
    ),
  },
  {
    name: 'answers twice',
    scenario: 'ids/kinds',
    breaks: 'V004',
    defect: () => ({ says: (message) => ('id' in message ? [message, message] : [message]) }),
  },
  {
    name: 'refuses params that are null',
    scenario: 'envelope/null-params',
    breaks: 'V005',
    defect: answering((message) => (message['params'] === null ? errorLine(message, -32_602) : undefined)),
  },
  {
    name: 'answers unknown extensions with an internal error',
    scenario: 'json-rpc/unknown-method',
    breaks: 'V006',
    defect: answering((message) =>
      String(message['method']).startsWith('_') ? errorLine(message, -32_603) : undefined,
    ),
  },
  {
    name: 'prints to its protocol stream',
    scenario: 'prompt/message',
    breaks: 'V007',
    defect: () => ({ says: (message) => [message, 'ready'] }),
  },
  {
    name: 'cancels its work for a $/cancel_request with an id of its own',
    scenario: 'envelope/same-id',
    breaks: 'V008',
    defect: () => {
      let sessionId: unknown;
      return {
        hears: (message) => {
          sessionId = paramsOf(message)['sessionId'] ?? sessionId;
          const isCancel = message['method'] === '$/cancel_request';
          return [isCancel ? { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId } } : message];
        },
      };
    },
  },
  {
    name: 'agrees to every version',
    scenario: 'versions/highest',
    breaks: 'V010',
    defect: results('initialize', (result, { protocolVersion }) => ({ ...result, protocolVersion })),
  },
  {
    name: 'refuses older versions as malformed',
    scenario: 'versions/older',
    breaks: 'V011',
    defect: refuses('initialize', -32_602, ({ protocolVersion }) => protocolVersion === 1),
  },
  {
    name: 'does not know requests before initialize',
    scenario: 'initialize/before-it',
    breaks: 'V013',
    defect: refuses('session/new', -32_601),
  },
  {
    name: 'can be initialized with an older version again',
    scenario: 'initialize/again',
    breaks: 'V015',
    defect: receives('initialize', (params) => ({ ...params, protocolVersion: 2 })),
  },
  {
    name: 'refuses unknown forms of a newer version',
    scenario: 'initialize/newer',
    breaks: 'V016',
    defect: refuses('initialize', -32_602, ({ info }) => info === 5),
  },
  {
    name: 'still has modes',
    scenario: 'versions/one',
    breaks: 'V018',
    defect: answering((message) => (message['method'] === 'session/set_mode' ? resultLine(message, {}) : undefined)),
  },
  {
    name: 'offers a capability with true',
    scenario: 'prompt/message',
    breaks: 'V030',
    defect: initialized((result) => ({ ...result, capabilities: { session: { delete: true } } })),
  },
  {
    name: 'does not list sessions',
    scenario: 'capabilities/session',
    breaks: 'V031',
    defect: refuses('session/list', -32_601),
  },
  {
    name: 'drops content of unknown types',
    scenario: 'content/unknown',
    breaks: 'V032',
    defect: receives('session/prompt', (params) => ({ ...params, prompt: [at(params, 'prompt', 0)] })),
  },
  {
    name: 'drops MCP servers that it does not support',
    scenario: 'capabilities/servers',
    breaks: 'V033',
    defect: receives('session/new', (params) => ({ ...params, mcpServers: [] })),
  },
  {
    name: 'lists logins without auth/login',
    scenario: 'authentication/methods',
    breaks: 'V034',
    defect: refuses('auth/login', -32_601),
  },
  {
    name: 'has no name',
    scenario: 'prompt/message',
    breaks: 'V036',
    defect: initialized(({ info: _, ...result }) => result),
  },
  {
    name: 'uses an extension that it does not announce',
    scenario: 'prompt/message',
    breaks: 'V037',
    defect: () => ({ says: (message) => [message, { jsonrpc: '2.0', method: '_raw/ping', params: {} }] }),
  },
  {
    name: 'lists two logins with one id',
    scenario: 'prompt/message',
    breaks: 'V103',
    defect: initialized((result) => ({
      ...result,
      authMethods: [result['authMethods'], result['authMethods']].flat(),
    })),
  },
  {
    name: 'adds a key to its capabilities',
    scenario: 'prompt/message',
    breaks: 'V105',
    defect: initialized((result) => ({ ...result, capabilities: { ...asMessage(result['capabilities']), raw: {} } })),
  },
  {
    name: 'does not say that a method is unknown',
    scenario: 'json-rpc/unknown-method',
    breaks: 'V110',
    defect: answering((message) =>
      message['method'] === 'turnwire/no_such_method' ? errorLine(message, -32_600) : undefined,
    ),
  },
  {
    name: 'explains errors on several lines',
    scenario: 'json-rpc/unknown-method',
    breaks: 'V111',
    defect: erring((error) => ({ ...error, message: 'It does\nnot work.' })),
  },
  {
    name: 'ends at an unknown request',
    scenario: 'json-rpc/unknown-method',
    breaks: 'V116',
    defect: ({ end }) => ({
      hears: (message) => {
        if (message['method'] === 'turnwire/no_such_method') end();
        return [message];
      },
    }),
  },
  {
    name: 'refuses unknown metadata',
    scenario: 'metadata/any-values',
    breaks: 'V117',
    defect: refuses('session/new', -32_602, (params) => '_meta' in params),
  },
  {
    name: 'answers a login with null',
    scenario: 'authentication/login',
    breaks: 'V126',
    defect: answers('auth/login', (answer) => ({ ...answer, result: null })),
  },
];
