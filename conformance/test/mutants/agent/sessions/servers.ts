import type { Mutant } from '../../mutant-line.ts';
import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import { inventing, misanswering, misreading } from './defects.ts';

const judges = 'agent';

function serversIn({ mcpServers }: RawMessage): readonly RawMessage[] {
  return mcpServers as readonly RawMessage[];
}

/** Takes the servers of a session for others than they are. */
function mistaking(change: (servers: readonly RawMessage[]) => readonly RawMessage[]): Mutant['defect'] {
  return misreading(['session/new'], (params) => ({ ...params, mcpServers: change(serversIn(params)) }));
}

/** Tells what the first server was to get alone. */
const telling: Mutant['defect'] = ({ toKit }) => ({
  hears: (message) => {
    const [server] = message['method'] === 'session/new' ? serversIn(asMessage(message['params']) ?? {}) : [];
    const params = { secret: server?.['env'] ?? server?.['headers'] };
    if (server !== undefined) toKit(JSON.stringify({ jsonrpc: '2.0', method: '_agent/log', params }));
    return [message];
  },
});

/** Agents that do other things with MCP servers than they are told. */
export const serverMutants: readonly Mutant[] = [
  {
    name: 'connects no server on stdio',
    judges,
    scenario: 'mcp/stdio',
    breaks: 'R106',
    defect: mistaking(() => []),
  },
  {
    name: 'says that a session is closed and lets its servers run',
    judges,
    scenario: 'mcp/closed',
    breaks: 'R094',
    defect: inventing('session/close', () => ({ result: {} })),
  },
  {
    name: 'connects the first server only',
    judges,
    scenario: 'mcp/stdio',
    breaks: 'R110',
    defect: mistaking((servers) => servers.slice(0, 1)),
  },
  {
    name: 'starts servers without their variables',
    judges,
    scenario: 'mcp/stdio',
    breaks: 'R112',
    defect: mistaking((servers) => servers.map((server) => ({ ...server, env: [] }))),
  },
  {
    name: 'leaves empty arguments of servers out',
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
    name: 'logs the variables of servers to its client',
    judges,
    scenario: 'mcp/stdio',
    breaks: 'R114',
    defect: telling,
  },
  {
    name: 'tells the variables of a server that does not start',
    judges,
    scenario: 'mcp/broken',
    breaks: 'R114',
    defect: telling,
  },
  {
    name: 'connects no server when a session is loaded',
    judges,
    scenario: 'mcp/brought-back',
    breaks: 'R087',
    defect: misreading(['session/load'], (params) => ({ ...params, mcpServers: [] })),
  },
  {
    name: 'connects no server when a session is resumed',
    judges,
    scenario: 'mcp/brought-back',
    breaks: 'R092',
    defect: misreading(['session/resume'], (params) => ({ ...params, mcpServers: [] })),
  },
  {
    name: 'advertises servers on HTTP and connects none',
    judges,
    scenario: 'mcp/http',
    breaks: 'R107',
    defect: mistaking(() => []),
  },
  {
    name: 'leaves the headers of servers out',
    judges,
    scenario: 'mcp/http',
    breaks: 'R113',
    defect: mistaking((servers) => servers.map((server) => ({ ...server, headers: [] }))),
  },
  {
    name: 'connects servers on HTTP without advertising it',
    judges,
    scenario: 'mcp/unadvertised',
    breaks: 'R109',
    defect: misanswering(['initialize'], (result) => ({
      ...result,
      agentCapabilities: { ...asMessage(result['agentCapabilities']), mcpCapabilities: {} },
    })),
  },
];
