import type { GatewayNode, TenantFigures } from '@turnwire/cluster';
import type { Gateway } from '@turnwire/gateway';
import { localTenant } from '../../store/named-session.ts';

/** The context of a metrics request. */
interface MetricsFor {
  /** The node of the gateway in its cluster, if there is one. */
  readonly node: Pick<GatewayNode, 'number' | 'nodes'> | undefined;
  /** The usage of each tenant. */
  readonly tenants: readonly TenantFigures[];
  /** The requesting tenant. The user of the gateway sees all tenants, any other tenant only itself. */
  readonly tenant: string;
}

/** The metrics of a gateway in the text format of Prometheus, with the number of its node in a cluster. */
export function gatewayMetrics(gateway: Gateway, { node, tenants, tenant }: MetricsFor): string {
  const nodeLabels = node ? { node: node.number } : {};
  const gauges: readonly (readonly [name: string, help: string, value: number])[] = [
    ['turnwire_clients', 'Connected clients.', gateway.connections],
    ['turnwire_sessions', 'Open sessions, with and without an agent.', gateway.sessions],
    ['turnwire_agents', 'Sessions with an agent.', gateway.agents],
    ['turnwire_sessions_working', 'Sessions with a running or queued turn.', gateway.working],
    ...(node
      ? [['turnwire_nodes', 'Servers of the database, as this one sees them.', node.nodes.length] as const]
      : []),
  ];
  const shown = tenants.filter((each) => tenant === localTenant || each.tenant === tenant);
  return [
    ...gauges.map(([name, help, value]) => metric({ name, help, type: 'gauge' }, [{ labels: nodeLabels, value }])),
    ...tenantMetrics(shown, nodeLabels),
  ].join('');
}

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

function tenantMetrics(tenants: readonly TenantFigures[], nodeLabels: Labels): readonly string[] {
  const of = (values: (figures: TenantFigures) => object): readonly Sample[] =>
    tenants.flatMap((figures) =>
      Object.entries(values(figures)).map(([quota, value]: [string, number]) => ({
        labels: { ...nodeLabels, tenant: figures.tenant, quota },
        value,
      })),
    );
  const used = of(({ stored, agents, prompts, transferredBytes }) => ({
    ...stored,
    agents,
    prompts,
    transferredBytes,
  }));
  return [
    metric(
      { name: 'turnwire_tenant_use', help: 'Usage of a tenant on this server and in the store.', type: 'gauge' },
      used,
    ),
    metric(
      { name: 'turnwire_tenant_quota', help: 'Quota of a tenant for all servers together.', type: 'gauge' },
      of(({ quota }) => quota),
    ),
    metric(
      { name: 'turnwire_tenant_refusals_total', help: 'Requests refused because of a quota.', type: 'counter' },
      of(({ refusals }) => refusals),
    ),
  ];
}

interface MetricHead {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
}

/** A metric with its samples; empty without samples. */
function metric({ name, help, type }: MetricHead, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map(({ labels, value }) => `${name}${labelsText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
