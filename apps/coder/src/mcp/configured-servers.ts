import { join } from 'node:path';
import type { McpServer } from '@turnwire/protocol';
import { parse } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';
import { readMcpConfig, readProjectFile } from '@turnwire/machine';
import type { KnownServer } from './known-server.ts';

/** The sources of servers. */
export interface ServerSources {
  /** The servers the client gives the session. */
  readonly client: readonly McpServer[];
  /** The user's servers for all projects: the value of `mcpServers`. Undefined: none. */
  readonly user?: object | undefined;
  /** The session's folder, whose `.mcp.json` and `.turnwire/mcp.json` are read. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The configured servers, and the problems of the configuration. */
export interface ConfiguredServers {
  readonly servers: readonly KnownServer[];
  /** Sentences for the user. */
  readonly warnings: readonly string[];
}

/** Reads the servers of a session. Of two with one name the client's takes precedence over the user's, and that over the project's. */
export async function configuredServers({ client, user, cwd, env }: ServerSources): Promise<ConfiguredServers> {
  const found = client.map((server): KnownServer => ({ name: server.name, origin: 'client', server }));
  const warnings: string[] = [];
  for (const entry of entriesOf({ mcpServers: user })) {
    const read = await readEntry(entry, { cwd, env });
    found.push(...read.servers.map((server): KnownServer => ({ name: server.name, origin: 'user', server })));
    warnings.push(...read.warnings.map((warning) => `One of your MCP servers is not used: ${warning}`));
  }
  for (const file of [join(cwd, '.mcp.json'), join(cwd, '.turnwire', 'mcp.json')]) {
    try {
      for (const [name, entry] of entriesOf(parsedFile(file, cwd))) {
        const read = await readEntry([name, entry], { cwd, env });
        found.push(
          ...read.servers.map((server): KnownServer => {
            const proposal = { file, name: server.name, entry };
            return { name: server.name, origin: 'project', server, proposal };
          }),
        );
        warnings.push(...read.warnings.map((warning) => `${file}: ${warning}`));
      }
    } catch (error) {
      warnings.push(`${(error as Error).message} Its MCP servers are not used.`);
    }
  }
  const servers = new Map<string, KnownServer>();
  for (const known of found) {
    const first = servers.get(known.name);
    if (first)
      warnings.push(
        `There are two MCP servers ${known.name}: that of ${owners[first.origin]} is used, that of ${owners[known.origin]} is not.`,
      );
    else servers.set(known.name, known);
  }
  return { servers: [...servers.values()], warnings };
}

/** @throws Error with a sentence for a user */
function parsedFile(file: string, project: string): unknown {
  const text = readProjectFile(file, { project });
  if (text === undefined) return undefined;
  const errors: ParseError[] = [];
  const value = parsed(text.replace(/^\uFEFF/u, ''), errors);
  if (errors.length > 0 || value === undefined) throw new Error(`${file} is not JSON.`);
  return value;
}

/** Undefined for a text that is nested too deeply. */
function parsed(text: string, errors: ParseError[]): unknown {
  try {
    return parse(text, errors, { allowTrailingComma: true });
  } catch {
    return undefined;
  }
}

/** The entries of a configuration, one by one: a missing variable in one must not affect the others. */
function entriesOf(config: unknown): readonly (readonly [name: string, entry: unknown])[] {
  const { mcpServers, servers } = (config ?? {}) as { readonly mcpServers?: unknown; readonly servers?: unknown };
  const list = Array.isArray(config) ? config : (mcpServers ?? servers ?? {});
  if (typeof list !== 'object') return [];
  if (!Array.isArray(list)) return Object.entries(list);
  return list.map((entry: unknown, at) => {
    const { name } = (entry ?? {}) as { readonly name?: unknown };
    return [typeof name === 'string' && name !== '' ? name : `server ${at + 1}`, entry] as const;
  });
}

async function readEntry(
  [name, entry]: readonly [name: string, entry: unknown],
  { cwd, env }: Pick<ServerSources, 'cwd' | 'env'>,
): Promise<{ readonly servers: readonly McpServer[]; readonly warnings: readonly string[] }> {
  try {
    return { servers: await readMcpConfig({ mcpServers: { [name]: entry } }, { environment: env, cwd }), warnings: [] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { servers: [], warnings: [message.replace(/^The MCP configuration:\s*/u, '')] };
  }
}

const owners: Readonly<Record<KnownServer['origin'], string>> = {
  client: 'the client',
  user: 'your settings',
  project: 'this project',
};
