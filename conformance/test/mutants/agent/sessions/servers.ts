import type { Mutant } from '../../mutant-line.ts';
import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import { inventing, misanswering, misreading } from './defects.ts';

const judges = 'agent';

function serversIn({ mcpServers }: RawMessage): readonly RawMessage[] {
  return mcpServers as readonly RawMessage[];
}

/** Changes the MCP servers of a session. */
function mistaking(change: (servers: readonly RawMessage[]) => readonly RawMessage[]): Mutant['defect'] {
  return misreading(['session/new'], (params) => ({ ...params, mcpServers: change(serversIn(params)) }));
}

/** Reveals the environment variables of the first MCP server. */
const telling: Mutant['defect'] = ({ toKit }) => ({
  hears: (message) => {
    const [server] = message['method'] === 'session/new' ? serversIn(asMessage(message['params']) ?? {}) : [];
    const params = { secret: server?.['env'] ?? server?.['headers'] };
    if (server !== undefined) toKit(JSON.stringify({ jsonrpc: '2.0', method: '_agent/log', params }));
    return [message];
  },
});

/** Agents with faults in their use of MCP servers. */
export const serverMutants: readonly Mutant[] = [
  {
    name: 'connects to no stdio server',
    judges,
    scenario: 'mcp/stdio',
    breaks: 'R106',
    defect: mistaking(() => []),
  },
  {
    name: 'closes a session but leaves its servers running',
    judges,
    scenario: 'mcp/closed',
    breaks: 'R094',
    defect: inventing('session/close', () => ({ result: {} })),
  },
  {
    name: 'connects only to the first server',
    judges,
    scenario: 'mcp/stdio',
    breaks: 'R110',
    defect: mistaking((servers) => servers.slice(0, 1)),
  },
  {
    name: 'starts servers without their environment variables',
    judges,
    scenario: 'mcp/stdio',
    breaks: 'R112',
    defect: mistaking((servers) => servers.map((server) => ({ ...server, env: [] }))),
  },
  {
    name: 'drops empty arguments of servers',
    judges,
    scenario: 'mcp/stdio',
    breaks: 'R112',
    defect: mistaking((servers) =>
      servers.map((server) => ({
        ...server,
        args: (server['args'] as readonly string[]).filter((each) => each !== ''),
      })),
    ),
  },
  {
    name: 'reveals the variables of servers in its log messages',
    judges,
    scenario: 'mcp/stdio',
    breaks: 'R114',
    defect: telling,
  },
  {
    name: 'reveals the variables of a server that does not start',
    judges,
    scenario: 'mcp/broken',
    breaks: 'R114',
    defect: telling,
  },
  {
    name: 'connects to no server when a session is loaded',
    judges,
    scenario: 'mcp/brought-back',
    breaks: 'R087',
    defect: misreading(['session/load'], (params) => ({ ...params, mcpServers: [] })),
  },
  {
    name: 'connects to no server when a session is resumed',
    judges,
    scenario: 'mcp/brought-back',
    breaks: 'R092',
    defect: misreading(['session/resume'], (params) => ({ ...params, mcpServers: [] })),
  },
  {
    name: 'advertises servers over HTTP but connects to none',
    judges,
    scenario: 'mcp/http',
    breaks: 'R107',
    defect: mistaking(() => []),
  },
  {
    name: 'drops the headers of servers',
    judges,
    scenario: 'mcp/http',
    breaks: 'R113',
    defect: mistaking((servers) => servers.map((server) => ({ ...server, headers: [] }))),
  },
  {
    name: 'connects to servers over HTTP without advertising it',
    judges,
    scenario: 'mcp/unadvertised',
    breaks: 'R109',
    defect: misanswering(['initialize'], (result) => ({
      ...result,
      agentCapabilities: { ...asMessage(result['agentCapabilities']), mcpCapabilities: {} },
    })),
  },
];
