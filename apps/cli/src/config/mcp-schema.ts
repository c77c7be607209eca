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
const values = '${NAME}, ${env:NAME} and ${NAME:-default} in texts stand for variables';

const stdio = {
  type: 'object',
  description: 'a server that is started',
  properties: {
    type: { const: 'stdio' },
    command: { type: 'string', minLength: 1, description: 'a program, or its path' },
    args: { type: 'array', items: { type: 'string' } },
    env: { ...pairs, description: `variables that it gets; ${values}` },
    disabled: { type: 'boolean', description: 'leave it out' },
    url: false,
  },
  required: ['command'],
};

const remote = {
  type: 'object',
  description: 'a server that runs already',
  properties: {
    type: { enum: ['http', 'streamable-http', 'sse'], description: 'default: http' },
    url: {
      type: 'string',
      pattern: String.raw`^([hH][tT][tT][pP][sS]?://|\$\{)`,
      description: `where it is; ${values}`,
    },
    headers: { ...pairs, description: `headers that are sent; ${values}` },
    disabled: { type: 'boolean', description: 'leave it out' },
    command: false,
  },
  required: ['url'],
};

const servers = { type: 'object', additionalProperties: { anyOf: [stdio, remote] }, description: 'servers by name' };

/** The schema of files with MCP servers, such as `.mcp.json`. Clients of other makers may have more in them. */
export const mcpSchema: Readonly<Record<string, unknown>> = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'MCP servers',
  anyOf: [
    { type: 'object', properties: { mcpServers: servers }, required: ['mcpServers'] },
    { type: 'object', properties: { servers }, required: ['servers'] },
  ],
};
