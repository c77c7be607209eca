import { GatewayNode, type NodeState, StoreError } from '@turnwire/gateway';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { stdout } from '../../terminal/output.ts';
import { type RunningServer, runningServers } from './running-servers.ts';

/** Lists the servers of this user that run, or those of a database. Resolves with the exit code. */
export async function serveStatus(
  { store = process.env['TURNWIRE_STORE'] }: { readonly store?: string },
  { format }: Pick<GlobalOptions, 'format'>,
): Promise<number> {
  if (store !== undefined) return clusterStatus(store, format);
  const servers = await runningServers();
  if (format === 'json') stdout.printJson(JSON.stringify(servers.map(({ token: _, ...server }) => server)));
  else if (servers.length === 0) stdout.printLine('No server runs. Start one with turnwire serve.');
  else for (const server of servers) printServer(server);
  return exitCodes.ok;
}

async function clusterStatus(url: string, format: GlobalOptions['format']): Promise<number> {
  const nodes = await GatewayNode.list({ url }).catch((error: unknown) => {
    throw error instanceof StoreError ? new CommandError(error.message, exitCodes.error) : error;
  });
  if (format === 'json') stdout.printJson(JSON.stringify(nodes));
  else if (nodes.length === 0) stdout.printLine('No server uses this database.');
  else for (const node of nodes) printNode(node);
  return exitCodes.ok;
}

function printNode(node: NodeState): void {
  const { number, address, agents, roots, startedAt, clients, sessions, awake, working, isDraining } = node;
  stdout.printLine(`${address ?? 'reached by no other server'}${isDraining ? ', about to end' : ''}`);
  stdout.printLine(`  node ${number}, since ${new Date(startedAt).toISOString()}`);
  stdout.printLine(`  ${clients} clients, ${sessions} sessions, ${awake} with an agent, ${working} at work`);
  stdout.printLine(`  agents: ${agents.join(', ')}`);
  stdout.printLine(`  folders: ${roots.join(', ')}`);
}

function printServer({ acp, socket, agents, roots, startedAt, process: { pid } }: RunningServer): void {
  stdout.printLine(acp ?? `unix:${socket}`);
  stdout.printLine(`  process ${pid}, since ${startedAt}`);
  stdout.printLine(`  agents: ${agents.join(', ')}`);
  stdout.printLine(`  folders: ${roots.join(', ')}`);
}
