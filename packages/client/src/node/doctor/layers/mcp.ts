import type { McpServer } from '@turnwire/protocol';
import { agentEnvironment, inheritedVariables } from '../../launch/environment.ts';
import { mcpServersFor } from '../../../agent/mcp-servers-for.ts';
import type { Examined } from '../examine-options.ts';
import { type Finding, since } from '../finding.ts';
import { programPath } from '../program-path.ts';
import { reasonOf, rethrowIfEnded } from '../reason.ts';
import type { Subject } from '../subject.ts';

/** The maximum number of servers that are tried one by one. Each may take the whole timeout. */
const mostTried = 16;

/** Creates a session with the MCP servers. If that fails although it works without, finds the servers that cause it. */
export async function* tryMcpServers(subject: Subject, options: Examined): AsyncGenerator<Finding, undefined> {
  const requested = options.mcpServers ?? [];
  if (requested.length === 0) return;
  const { servers, refused } = mcpServersFor(subject.agent.capabilities.mcpCapabilities, requested);
  for (const { name, reason } of refused)
    yield { layer: 'mcp', verdict: 'warning', message: `${name} is left out: ${reason}`, advice: refusedAdvice };
  for (const server of servers) yield* missingProgram(server, options);
  if (servers.length === 0) return;
  const began = performance.now();
  const problem = await problemWith(servers, subject, options);
  if (problem === undefined) yield acceptedServers(servers, since(began));
  else if (servers.length === 1) yield blamed(servers[0]?.name ?? '', problem);
  else yield* findFailing(servers, { subject, options, problem });
}

const refusedAdvice = 'Use a server over stdio instead, or an agent that supports this type.';

function* missingProgram(server: McpServer, { cwd }: Examined): Generator<Finding, undefined> {
  if (!('command' in server)) return;
  const env = agentEnvironment(process.env, inheritedVariables);
  if (programPath(server.command, { cwd, env }) !== undefined) return;
  yield {
    layer: 'mcp',
    verdict: 'warning',
    message: `${server.name}: there is no program "${server.command}".`,
    advice: 'Check the spelling, and that it is installed.',
  };
}

async function problemWith(
  mcpServers: readonly McpServer[],
  subject: Subject,
  { cwd, signal }: Examined,
): Promise<string | undefined> {
  try {
    await subject.newSession({ cwd, signal, mcpServers });
    return undefined;
  } catch (error) {
    rethrowIfEnded(error, signal);
    return reasonOf(error);
  }
}

async function* findFailing(
  servers: readonly McpServer[],
  { subject, options, problem }: { readonly subject: Subject; readonly options: Examined; readonly problem: string },
): AsyncGenerator<Finding, undefined> {
  let isFound = false;
  for (const server of servers.slice(0, mostTried)) {
    const own = await problemWith([server], subject, options);
    if (own === undefined) continue;
    isFound = true;
    yield blamed(server.name, own);
  }
  if (isFound) return;
  const names = servers.map(({ name }) => name).join(', ');
  yield {
    layer: 'mcp',
    verdict: 'failed',
    message: `It did not create a session with all of ${names}: ${problem}. With each alone it did${servers.length > mostTried ? `, of the first ${mostTried}` : ''}.`,
    advice: 'Use fewer servers, or give it more time.',
  };
}

function blamed(name: string, reason: string): Finding {
  return {
    layer: 'mcp',
    verdict: 'failed',
    message: `It did not create a session with the MCP server ${name}: ${reason}.`,
    advice: `Start ${name} by itself to see whether it works, or remove it.`,
    details: { server: name },
  };
}

function acceptedServers(servers: readonly McpServer[], milliseconds: number): Finding {
  const names = servers.map(({ name }) => name);
  return {
    layer: 'mcp',
    verdict: 'ok',
    message: `It creates a session with ${names.join(', ')}. It does not report whether it could connect to ${names.length === 1 ? 'it' : 'them'}.`,
    milliseconds,
    details: { servers: names },
  };
}
