import { GatewayNode, type NodeState } from '@turnwire/cluster';
import { StoreError } from '@turnwire/runtime';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { stdout } from '../../terminal/output.ts';
import { printRows } from '../../output/print-rows.ts';
import { databaseOf } from './session-store.ts';
import { type RunningServer, runningServers } from './running-servers.ts';

type Format = GlobalOptions['format'];

/** Lists the running servers of this user, the servers of a database, or its tenants. Resolves with the exit code. */
export async function serveStatus(
  args: { readonly store?: string; readonly tenants?: true | undefined },
  { format }: Pick<GlobalOptions, 'format'>,
): Promise<number> {
  const url = databaseOf(args);
  if (args.tenants && url === undefined)
    throw new CommandError('--tenants needs a database: give --store', exitCodes.usage);
  if (url !== undefined) return args.tenants ? tenantsStatus(url, format) : clusterStatus(url, format);
  const servers = await runningServers();
  if (format === 'json') stdout.printJson(JSON.stringify(servers.map(({ token: _, ...server }) => server)));
  else if (servers.length === 0) stdout.printLine('No server is running. Start one with turnwire serve.');
  else for (const server of servers) printServer(server);
  return exitCodes.ok;
}

async function clusterStatus(url: string, format: Format): Promise<number> {
  const nodes = await GatewayNode.list({ url }).catch(asCommandError);
  if (format === 'json') stdout.printJson(JSON.stringify(nodes));
  else if (nodes.length === 0) stdout.printLine('No server uses this database.');
  else for (const node of nodes) printNode(node);
  return exitCodes.ok;
}

async function tenantsStatus(url: string, format: Format): Promise<number> {
  const tenants = await GatewayNode.tenants({ url }).catch(asCommandError);
  if (format === 'json') stdout.printJson(JSON.stringify(tenants));
  else if (tenants.length === 0) stdout.printLine('No tenant has a session.');
  else
    printRows({
      head: ['sessions', 'stored bytes', 'agents', 'prompts a minute', 'bytes a minute', 'tenant'],
      rows: tenants.map(({ tenant, sessions, storedBytes, agents, prompts, transferredBytes }) => [
        ...[sessions, storedBytes, agents, prompts, transferredBytes].map(String),
        tenant,
      ]),
    });
  return exitCodes.ok;
}

function asCommandError(error: unknown): never {
  throw error instanceof StoreError ? new CommandError(error.message, exitCodes.error) : error;
}

function printNode(node: NodeState): void {
  const { number, address, agents, roots, startedAt, clients, sessions, awake, working, isDraining } = node;
  stdout.printLine(`${address ?? 'not reachable by other servers'}${isDraining ? ', shutting down' : ''}`);
  stdout.printLine(`  node ${number}, since ${new Date(startedAt).toISOString()}`);
  stdout.printLine(`  ${clients} clients, ${sessions} sessions, ${awake} with an agent, ${working} working`);
  stdout.printLine(`  agents: ${agents.join(', ')}`);
  stdout.printLine(`  folders: ${roots.join(', ')}`);
}

function printServer({ acp, socket, agents, roots, startedAt, process: { pid } }: RunningServer): void {
  stdout.printLine(acp ?? `unix:${socket}`);
  stdout.printLine(`  process ${pid}, since ${startedAt}`);
  stdout.printLine(`  agents: ${agents.join(', ')}`);
  stdout.printLine(`  folders: ${roots.join(', ')}`);
}
