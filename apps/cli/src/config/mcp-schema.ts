const texts = { type: 'object', additionalProperties: { type: 'string' } };
const pairs = {
  anyOf: [
    texts,
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string', minLength: 1 }, value: { type: 'string' } },
        required: ['name', 'value'],
      },
    },
  ],
};
const values = '${NAME}, ${env:NAME} and ${NAME:-default} in texts are replaced by variables';

const stdio = {
  type: 'object',
  description: 'a server to start',
  properties: {
    type: { const: 'stdio' },
    command: { type: 'string', minLength: 1, description: 'a program, or its path' },
    args: { type: 'array', items: { type: 'string' } },
    env: { ...pairs, description: `variables for the server; ${values}` },
    disabled: { type: 'boolean', description: 'leave it out' },
    url: false,
  },
  required: ['command'],
};

const remote = {
  type: 'object',
  description: 'a running server',
  properties: {
    type: { enum: ['http', 'streamable-http', 'sse'], description: 'default: http' },
    url: {
      type: 'string',
      pattern: String.raw`^([hH][tT][tT][pP][sS]?://|\$\{)`,
      description: `the URL of the server; ${values}`,
    },
    headers: { ...pairs, description: `headers to send; ${values}` },
    disabled: { type: 'boolean', description: 'leave it out' },
    command: false,
  },
  required: ['url'],
};

const servers = { type: 'object', additionalProperties: { anyOf: [stdio, remote] }, description: 'servers by name' };

/** The schema of files with MCP servers, such as `.mcp.json`. Other clients may store additional keys in them. */
export const mcpSchema: Readonly<Record<string, unknown>> = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'MCP servers',
  anyOf: [
    { type: 'object', properties: { mcpServers: servers }, required: ['mcpServers'] },
    { type: 'object', properties: { servers }, required: ['servers'] },
  ],
};
