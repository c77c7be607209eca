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
export async function configuredServers(sources: ServerSources): Promise<ConfiguredServers> {
  const client = sources.client.map((server): KnownServer => ({ name: server.name, origin: 'client', server }));
  const others = await Promise.all([
    userServers(sources),
    ...projectFiles.map((file) => projectServers(sources, file)),
  ]);
  const { servers, clashes } = withoutClashes([...client, ...others.flatMap((each) => each.servers)]);
  return { servers, warnings: [...others.flatMap((each) => each.warnings), ...clashes] };
}

const projectFiles = ['.mcp.json', join('.turnwire', 'mcp.json')];

async function userServers({ user, cwd, env }: ServerSources): Promise<ConfiguredServers> {
  return together(
    entriesOf({ mcpServers: user }).map(async ([name, entry]) => {
      const { servers, warnings } = await readEntry([name, entry], { cwd, env });
      return {
        servers: servers.map((server): KnownServer => ({ name: server.name, origin: 'user', server })),
        warnings: warnings.map((warning) => `One of your MCP servers is not used: ${warning}`),
      };
    }),
  );
}

async function projectServers({ cwd, env }: ServerSources, name: string): Promise<ConfiguredServers> {
  const file = join(cwd, name);
  let config: unknown;
  try {
    config = parsedFile(file, cwd);
  } catch (error) {
    return { servers: [], warnings: [`${(error as Error).message} Its MCP servers are not used.`] };
  }
  return together(
    entriesOf(config).map(async ([key, entry]) => {
      const { servers, warnings } = await readEntry([key, entry], { cwd, env });
      return {
        servers: servers.map((server): KnownServer => {
          const proposal = { file, name: server.name, entry };
          return { name: server.name, origin: 'project', server, proposal };
        }),
        warnings: warnings.map((warning) => `${file}: ${warning}`),
      };
    }),
  );
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

async function together(parts: readonly Promise<ConfiguredServers>[]): Promise<ConfiguredServers> {
  const all = await Promise.all(parts);
  return { servers: all.flatMap(({ servers }) => servers), warnings: all.flatMap(({ warnings }) => warnings) };
}

function withoutClashes(servers: readonly KnownServer[]): {
  readonly servers: readonly KnownServer[];
  readonly clashes: readonly string[];
} {
  const byName = new Map<string, KnownServer>();
  const clashes: string[] = [];
  for (const known of servers) {
    const first = byName.get(known.name);
    if (first)
      clashes.push(
        `There are two MCP servers ${known.name}: that of ${owners[first.origin]} is used, that of ${owners[known.origin]} is not.`,
      );
    else byName.set(known.name, known);
  }
  return { servers: [...byName.values()], clashes };
}

const owners: Readonly<Record<KnownServer['origin'], string>> = {
  client: 'the client',
  user: 'your settings',
  project: 'this project',
};
