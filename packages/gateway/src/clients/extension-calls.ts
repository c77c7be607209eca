import type { ExtensionMethod, Peer } from '@turnwire/protocol';
import type { V2 } from '@turnwire/protocol/v2';
import type { ExtensionCalls } from '@turnwire/runtime';

/** The calls of methods that only the agent and the client know. They are the same in both versions. */
export function extensionCalls(client: Peer<'agent'> | Peer<'agent', V2>): ExtensionCalls {
  const peer = client as Peer<'agent'>;
  return {
    request: (method, params, signal) => peer.request(method as ExtensionMethod, params, { signal }),
    notify: (method, params) => void peer.notify(method as ExtensionMethod, params).catch(() => undefined),
  };
}
