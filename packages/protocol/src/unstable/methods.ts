import { methods } from '../methods.ts';

const additions = {
  'session/fork': {
    side: 'agent',
    kind: 'request',
    params: 'ForkSessionRequest',
    result: 'ForkSessionResponse',
    capability: 'sessionCapabilities.fork',
  },
  'session/archive': {
    side: 'agent',
    kind: 'request',
    params: 'ArchiveSessionRequest',
    result: 'ArchiveSessionResponse',
    capability: 'sessionCapabilities.archive',
  },
  'session/unarchive': {
    side: 'agent',
    kind: 'request',
    params: 'UnarchiveSessionRequest',
    result: 'UnarchiveSessionResponse',
    capability: 'sessionCapabilities.archive',
  },
  'session/status': {
    side: 'agent',
    kind: 'request',
    params: 'SessionStatusRequest',
    result: 'SessionStatusResponse',
    capability: 'sessionCapabilities.status',
  },
  'session/set_title': {
    side: 'agent',
    kind: 'request',
    params: 'SetSessionTitleRequest',
    result: 'SetSessionTitleResponse',
    capability: 'sessionCapabilities.title',
  },
  'auth/status': {
    side: 'agent',
    kind: 'request',
    params: 'AuthStatusRequest',
    result: 'AuthStatusResponse',
    capability: 'auth.status',
  },
  'auth/status_update': { side: 'client', kind: 'notification', params: 'AuthStatusUpdateNotification' },
  'providers/list': {
    side: 'agent',
    kind: 'request',
    params: 'ListProvidersRequest',
    result: 'ListProvidersResponse',
    capability: 'providers',
  },
  'providers/set': {
    side: 'agent',
    kind: 'request',
    params: 'SetProviderRequest',
    result: 'SetProviderResponse',
    capability: 'providers',
  },
  'providers/disable': {
    side: 'agent',
    kind: 'request',
    params: 'DisableProviderRequest',
    result: 'DisableProviderResponse',
    capability: 'providers',
  },
  'mcp/message': { side: 'client', kind: 'request', params: 'MessageMcpRequest', result: 'MessageMcpResponse' },
} as const;

/**
 * Every method of version 1, the unstable ones included. `mcp/message` is a request to the client; as the notification to the agent that
 * it can also be, it is sent with `peer.raw.notify` and received by a `'*'` handler. The methods between proxies (`proxy/…`) are not
 * spoken by agents and clients; `peer.raw` and `'*'` carry them too.
 */
export const unstableMethods: typeof methods & typeof additions = { ...methods, ...additions };
