/** The entries that need nothing of Node: a page can import them as they are. */
export const neutralEntries: readonly string[] = [
  '@turnwire/protocol',
  '@turnwire/protocol/unstable',
  '@turnwire/machine/waits',
  '@turnwire/transports/memory',
  '@turnwire/transports/web-streams',
  '@turnwire/transports/message-port',
  '@turnwire/transports/websocket',
  '@turnwire/transports/contract',
  '@turnwire/trace',
  '@turnwire/client',
  '@turnwire/client/conversation',
  '@turnwire/client/transcript',
  '@turnwire/client/elicitation',
  '@turnwire/client/retry',
  '@turnwire/client/known-agents',
  '@turnwire/agent',
];
