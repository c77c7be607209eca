import { v2Methods } from '../methods.ts';

const additions = {
  'session/fork': {
    side: 'agent',
    kind: 'request',
    params: 'ForkSessionRequest',
    result: 'ForkSessionResponse',
    capability: 'session.fork',
  },
  'session/archive': {
    side: 'agent',
    kind: 'request',
    params: 'ArchiveSessionRequest',
    result: 'ArchiveSessionResponse',
    capability: 'session.archive',
  },
  'session/unarchive': {
    side: 'agent',
    kind: 'request',
    params: 'UnarchiveSessionRequest',
    result: 'UnarchiveSessionResponse',
    capability: 'session.archive',
  },
  'session/status': {
    side: 'agent',
    kind: 'request',
    params: 'SessionStatusRequest',
    result: 'SessionStatusResponse',
    capability: 'session.status',
  },
  'session/set_title': {
    side: 'agent',
    kind: 'request',
    params: 'SetSessionTitleRequest',
    result: 'SetSessionTitleResponse',
    capability: 'session.title',
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
 * Every method of version 2, the unstable ones included. `mcp/message` is a request to the client; as the notification to the agent that
 * it can also be, it is sent with `peer.raw.notify` and received by a `'*'` handler. So are the methods between proxies (`proxy/…`).
 */
export const v2UnstableMethods: typeof v2Methods & typeof additions = { ...v2Methods, ...additions };
