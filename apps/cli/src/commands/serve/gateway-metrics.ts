import type { Gateway } from '@turnwire/gateway';

/** What a gateway measures of itself, in the text format of Prometheus. */
export function gatewayMetrics(gateway: Gateway): string {
  const gauges: readonly (readonly [name: string, help: string, value: number])[] = [
    ['turnwire_clients', 'Clients that are connected.', gateway.connections],
    ['turnwire_sessions', 'Sessions that are open, with and without an agent.', gateway.sessions],
    ['turnwire_agents', 'Sessions that have an agent.', gateway.agents],
    ['turnwire_sessions_working', 'Sessions in which a turn runs or waits.', gateway.working],
  ];
  return gauges
    .map(([name, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join('');
}
