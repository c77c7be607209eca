import { list, object, required, string, tagged, variant } from './language.ts';

export const EnvVariable = object('An environment variable for a program that is started.', {
  name: required(string, 'Its name.'),
  value: required(string, 'Its value.'),
});

export const HttpHeader = object('A header to send with each HTTP request.', {
  name: required(string, 'Its name, of any case.'),
  value: required(string, 'Its value; often a secret.'),
});

const remote = {
  name: required(string, 'What people call the server.'),
  url: required(string, 'Where it listens.'),
  headers: required(list(HttpHeader), 'What to send along with each request.').nullMeansEmpty(),
};

export const McpServerHttp = object('An MCP server reached over streamable HTTP.', remote);

export const McpServerSse = object('An MCP server reached over HTTP with server-sent events, the older way.', remote);

export const McpServerStdio = object('An MCP server the agent starts and talks to over standard input and output.', {
  name: required(string, 'What people call the server.'),
  command: required(string, 'The program to start: an absolute path.'),
  args: required(list(string), 'Its arguments.').nullMeansEmpty(),
  env: required(list(EnvVariable), 'Environment variables to set for it.').nullMeansEmpty(),
});

export const McpServer = tagged({
  description: 'A server of the Model Context Protocol for the agent to connect to. Without a `type` it is of type `stdio`.',
  tag: 'type',
  variants: {
    http: variant(McpServerHttp, 'Needs the agent capability `mcpCapabilities.http`.'),
    sse: variant(McpServerSse, 'Needs the agent capability `mcpCapabilities.sse`.'),
    stdio: variant(McpServerStdio, 'Every agent knows this one.'),
  },
  untagged: 'stdio',
});
