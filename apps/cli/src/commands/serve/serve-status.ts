import { exitCodes } from '../../exit-codes.ts';
import type { GlobalOptions } from '../../options.ts';
import { stdout } from '../../terminal/output.ts';
import { type RunningServer, runningServers } from './running-servers.ts';

/** Lists the servers of this user that run. Resolves with the exit code. */
export async function serveStatus({ format }: Pick<GlobalOptions, 'format'>): Promise<number> {
  const servers = await runningServers();
  if (format === 'json') stdout.printJson(JSON.stringify(servers.map(({ token: _, ...server }) => server)));
  else if (servers.length === 0) stdout.printLine('No server runs. Start one with turnwire serve.');
  else for (const server of servers) printServer(server);
  return exitCodes.ok;
}

function printServer({ acp, socket, agents, roots, startedAt, process: { pid } }: RunningServer): void {
  stdout.printLine(acp ?? `unix:${socket}`);
  stdout.printLine(`  process ${pid}, since ${startedAt}`);
  stdout.printLine(`  agents: ${agents.join(', ')}`);
  stdout.printLine(`  folders: ${roots.join(', ')}`);
}
