/** The name of the official SDK. */
export const sdkName = '@agentclientprotocol/sdk';

/** The entries of the SDK that `@turnwire/sdk-compat` has. */
export const coveredEntries: ReadonlySet<string> = new Set([
  '.',
  './unstable',
  './experimental/v2',
  './experimental/v2/unstable',
  './experimental/http-client',
  './experimental/ws-client',
  './experimental/server',
  './experimental/node',
  './dist/stream.js',
]);

/** What to do about entries that it does not have. */
export const otherEntries: Readonly<Record<string, string>> = {
  './experimental/nes': 'handle the methods nes/… and document/… with onRequest, onNotification and a parser',
  './experimental/mcp-http': 'keep the official package',
  './experimental/mcp-server': 'keep the official package',
};

/** Names of covered entries that throw an error when they are used. */
export const missingNames: ReadonlySet<string> = new Set([
  'McpOverAcpCaller',
  'McpOverAcpProvider',
  'McpServerRegistration',
  'parseMcpOutcome',
  'withMcpRequestMeta',
]);

/** The names of this project's own interface for the most used names of the SDK. */
export const ourNames: Readonly<Record<string, string>> = {
  AgentSideConnection: 'serveAgent of @turnwire/agent/node, or connectAgent of @turnwire/protocol',
  ClientSideConnection: 'launchAgent of @turnwire/client/node, or connectClient of @turnwire/protocol',
  agent: 'defineAgent of @turnwire/agent, or connectAgent of @turnwire/protocol',
  client: 'attachAgent of @turnwire/client, or connectClient of @turnwire/protocol',
  ndJsonStream: 'webStreamTransport of @turnwire/transports/web-streams',
  agentProtocolRouter: 'connectAgentVersions of @turnwire/protocol/v2',
  RequestError: 'ProtocolError of @turnwire/protocol',
  TerminalHandle: 'turn.commands.run of @turnwire/agent',
  PROTOCOL_VERSION: 'protocolVersion of @turnwire/protocol',
};
