import type { Config } from './config.ts';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const word = { type: 'string', minLength: 1 };
const texts = { type: 'object', additionalProperties: { type: 'string' } };
const seconds = { type: 'number', minimum: 0 };
const oneOf = (...values: readonly string[]): JsonSchema => ({ enum: values });

const agent = {
  anyOf: [
    { type: 'string', description: 'its command line' },
    {
      type: 'object',
      properties: {
        transport: { const: 'stdio' },
        command: { type: 'string' },
        args: { type: 'array', items: { type: 'string' } },
        env: { ...texts, description: 'variables it gets; ${NAME} in a value stands for a variable' },
      },
      required: ['command'],
    },
    remote('http', '^[hH][tT][tT][pP][sS]?://'),
    remote('websocket', '^[wW][sS][sS]?://'),
  ],
};

function remote(transport: string, pattern: string): JsonSchema {
  return {
    type: 'object',
    properties: {
      transport: { const: transport },
      url: { type: 'string', pattern },
      headers: { ...texts, description: 'headers that are sent; ${NAME} in a value stands for a variable' },
      insecure: { type: 'boolean', description: 'allow connections that are not encrypted to another machine' },
      command: false,
    },
    required: ['transport', 'url'],
  };
}

const properties: Readonly<Record<keyof Config | '$schema', JsonSchema>> = {
  $schema: { type: 'string' },
  defaultAgent: { ...word, description: 'the agent when none is named; default: coder' },
  agents: { type: 'object', additionalProperties: agent, description: 'agents by name' },
  permissions: {
    ...oneOf('ask', 'approve-reads', 'approve-all', 'deny-all'),
    description: 'as the options of these names',
  },
  permissionMode: {
    ...oneOf('default', 'acceptEdits', 'plan', 'bypassPermissions'),
    description: 'how much is allowed without asking',
  },
  nonInteractivePermissions: { ...oneOf('deny', 'fail'), description: 'what to do if there is no user to ask' },
  authPolicy: { ...oneOf('skip', 'fail'), description: 'when an agent wants a login: continue without, or fail' },
  ttl: { ...seconds, description: 'how long the agent of an idle session keeps running, in seconds; 0 for no limit' },
  timeout: { ...seconds, description: 'how long a turn may take, in seconds; 0 for no limit' },
  format: { ...oneOf('text', 'json', 'quiet'), description: 'how turns are printed' },
  mcpConfig: {
    ...word,
    description: 'a file with MCP servers, such as .mcp.json; relative to the folder of this file',
  },
  mcpServers: { type: 'object', description: 'MCP servers by name, as in .mcp.json' },
  notifications: {
    type: 'boolean',
    description: 'whether a chat notifies you while its terminal is not focused; default: true',
  },
  registry: { ...word, description: 'the address of the registry that agents are added from' },
};

/** The schema of `config.json`, of the user and of a project. */
export const configSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'config.json of turnwire',
  type: 'object',
  properties,
  additionalProperties: false,
};
