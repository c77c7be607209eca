import type { Gateway, GatewayNode } from '@turnwire/gateway';

/** What a gateway measures of itself, in the text format of Prometheus; with the number of the node where there are several. */
export function gatewayMetrics(gateway: Gateway, node: Pick<GatewayNode, 'number' | 'nodes'> | undefined): string {
  const labels = node ? `{node="${node.number}"}` : '';
  const gauges: readonly (readonly [name: string, help: string, value: number])[] = [
    ['turnwire_clients', 'Clients that are connected.', gateway.connections],
    ['turnwire_sessions', 'Sessions that are open, with and without an agent.', gateway.sessions],
    ['turnwire_agents', 'Sessions that have an agent.', gateway.agents],
    ['turnwire_sessions_working', 'Sessions in which a turn runs or waits.', gateway.working],
    ...(node
      ? [['turnwire_nodes', 'Servers of the database, as this one sees them.', node.nodes.length] as const]
      : []),
  ];
  return gauges
    .map(([name, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name}${labels} ${value}\n`)
    .join('');
}
