import { expect, test } from 'vitest';
import { mcpServersFor } from '../../src/agent/mcp-servers-for.ts';

test('an MCP server is chosen if the agent offers its type', () => {
  const stdio = { name: 'a', command: '/a', args: [], env: [] };
  const typed = { ...stdio, type: 'stdio' as const, name: 'b' };
  const http = { type: 'http' as const, name: 'c', url: 'https://c.example', headers: [] };
  const sse = { type: 'sse' as const, name: 'd', url: 'https://d.example', headers: [] };
  const refused = (name: string, type: string): object => ({
    name,
    reason: `The agent does not connect to MCP servers of type ${type} (mcpCapabilities.${type}).`,
  });
  const all = [stdio, typed, http, sse];
  expect(
    [undefined, null, { http: true }, { http: false, sse: true }, { http: true, sse: true }].map((each) =>
      mcpServersFor(each, all),
    ),
  ).toEqual([
    { servers: [stdio, typed], refused: [refused('c', 'http'), refused('d', 'sse')] },
    { servers: [stdio, typed], refused: [refused('c', 'http'), refused('d', 'sse')] },
    { servers: [stdio, typed, http], refused: [refused('d', 'sse')] },
    { servers: [stdio, typed, sse], refused: [refused('c', 'http')] },
    { servers: all, refused: [] },
  ]);
});
