import type { GatewayNode, TenantFigures } from '@turnwire/cluster';
import type { Gateway } from '@turnwire/gateway';
import { localTenant } from '../../store/named-session.ts';

/** Whose metrics, for whom. */
interface MetricsFor {
  /** What the gateway is among others. */
  readonly node: Pick<GatewayNode, 'number' | 'nodes'> | undefined;
  /** How much each tenant uses. */
  readonly tenants: readonly TenantFigures[];
  /** Who asks: the user who runs the gateway sees all tenants, another one itself. */
  readonly tenant: string;
}

/** What a gateway measures of itself, in the text format of Prometheus; with the number of the node where there are several. */
export function gatewayMetrics(gateway: Gateway, { node, tenants, tenant }: MetricsFor): string {
  const nodeLabels = node ? { node: node.number } : {};
  const gauges: readonly (readonly [name: string, help: string, value: number])[] = [
    ['turnwire_clients', 'Clients that are connected.', gateway.connections],
    ['turnwire_sessions', 'Sessions that are open, with and without an agent.', gateway.sessions],
    ['turnwire_agents', 'Sessions that have an agent.', gateway.agents],
    ['turnwire_sessions_working', 'Sessions in which a turn runs or waits.', gateway.working],
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
      { name: 'turnwire_tenant_use', help: 'What a tenant uses: of this server, and of the store.', type: 'gauge' },
      used,
    ),
    metric(
      { name: 'turnwire_tenant_quota', help: 'What it may use of all servers.', type: 'gauge' },
      of(({ quota }) => quota),
    ),
    metric(
      { name: 'turnwire_tenant_refusals_total', help: 'What was refused because of a quota.', type: 'counter' },
      of(({ refusals }) => refusals),
    ),
  ];
}

interface MetricHead {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
}

/** Empty without samples. */
function metric({ name, help, type }: MetricHead, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map(({ labels, value }) => `${name}${labelsText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
