import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ParseError } from 'jsonc-parser';
import type { EnvironmentVariables } from '../own-folders.ts';
import { type ConfiguredMcpServer, readServer, type ServerContext } from './read-server.ts';
import { EntryProblem, isObject, kindOf, ServerEntry } from './server-entry.ts';

/** A configuration of MCP servers that cannot be used. The message is for its author. */
export class McpConfigError extends Error {
  override readonly name = 'McpConfigError';
  readonly code = 'invalid-input';
}

/** The context of a configuration. */
export interface McpConfigOptions {
  /** Values of `${NAME}`, and the `PATH` to search for programs. Nothing is taken from this process. Default: empty. */
  readonly environment?: EnvironmentVariables | undefined;
  /** The base of relative commands, and `${workspaceFolder}`. Default: the folder of the file; none for an object. */
  readonly cwd?: string | undefined;
}

/**
 * Reads a list of MCP servers in the usual formats, for `newSession` and `loadSession` (ACP, "Session Setup"). The formats are
 * - `{"mcpServers": {"name": {"command", "args", "env"} or {"type": "http" or "sse", "url", "headers"}}}`, as in `.mcp.json`
 * - `{"servers": {…}}` with the same entries, as in `.vscode/mcp.json`
 * - `{"mcpServers": […]}`, or the list alone, of servers as in ACP; `env` and `headers` may be objects or lists of pairs
 *
 * Files may contain comments. A server without a `type` is `stdio` with a `command` and `http` with a `url`; a server with `"disabled": true` is
 * omitted. For a `cwd`, a shell changes to that folder before the command starts. The variables of an `envFile` are read; those of `env` take
 * precedence. In every text `${NAME}`, `${env:NAME}` and `${NAME:-default}` are replaced; a variable without a value and a default is an error.
 * Commands become absolute paths, as ACP requires, if they are found.
 * @param source the path of a file, or the parsed content of such a file
 * @throws McpConfigError with all problems: each names its server and field but no value, since most values are secrets
 */
export async function readMcpConfig(
  source: string | object,
  options: McpConfigOptions = {},
): Promise<ConfiguredMcpServer[]> {
  const environment = options.environment ?? {};
  if (typeof source !== 'string') {
    return serversOf(source, 'The MCP configuration', { environment, folder: options.cwd });
  }
  const path = resolve(source);
  return serversOf(await parsedFile(path), path, { environment, folder: options.cwd ?? dirname(path) });
}

async function parsedFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason';
    const reason = code === 'ENOENT' ? 'there is no such file' : `the system reports ${code}`;
    throw new McpConfigError(`${path}: cannot be read: ${reason}.`, { cause: error });
  });
  // Loaded only when a file is read: most importers of this package never read one.
  const { parse } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/u, ''), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return value;
  throw new McpConfigError(`${path}: not JSON from ${positionOf(text, first.offset)} on.`);
}

function positionOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

async function serversOf(config: unknown, label: string, context: ServerContext): Promise<ConfiguredMcpServer[]> {
  const problems: string[] = [];
  const servers: ConfiguredMcpServer[] = [];
  for (const [name, value] of entriesOf(config, label)) {
    try {
      const entry = new ServerEntry(value, { environment: context.environment, workspace: context.folder });
      if (entry.isTrue('disabled') || (entry.has('enabled') && !entry.isTrue('enabled'))) continue;
      if (servers.some((each) => each.name === name)) throw new EntryProblem('another server has the same name');
      servers.push(readServer(name, entry, context));
    } catch (error) {
      if (!(error instanceof EntryProblem)) throw error;
      problems.push(`server ${name}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw unusable(label, problems);
  return servers;
}

function entriesOf(config: unknown, label: string): readonly (readonly [name: string, value: unknown])[] {
  const servers = Array.isArray(config)
    ? config
    : isObject(config)
      ? (config['mcpServers'] ?? config['servers'])
      : undefined;
  if (Array.isArray(servers)) return servers.map((each: unknown, index) => [nameOf(each, index, label), each] as const);
  if (isObject(servers)) return Object.entries(servers);
  if (servers !== undefined)
    throw unusable(label, [`mcpServers: expected an object or a list, found ${kindOf(servers)}`]);
  throw unusable(label, ['expected {"mcpServers": …} or {"servers": …}']);
}

function nameOf(server: unknown, index: number, label: string): string {
  const found = isObject(server) ? server['name'] : undefined;
  if (typeof found === 'string' && found !== '') return found;
  throw unusable(label, [`mcpServers[${index}]: expected an object with a name`]);
}

function unusable(label: string, problems: readonly string[]): McpConfigError {
  const [only] = problems;
  const list = problems.length === 1 ? ` ${only}` : problems.map((each) => `\n- ${each}`).join('');
  return new McpConfigError(`${label}:${list}${list.endsWith('.') ? '' : '.'}`);
}
