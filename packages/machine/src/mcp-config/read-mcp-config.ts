import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ParseError } from 'jsonc-parser';
import type { EnvironmentVariables } from '../own-folders.ts';
import { type ConfiguredMcpServer, readServer, type ServerPlace } from './read-server.ts';
import { EntryProblem, isObject, kindOf, ServerEntry } from './server-entry.ts';

/** A configuration of MCP servers that cannot be used. The message is for whoever wrote it. */
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
 * Reads a list of MCP servers as people keep it, for `newSession` and `loadSession` (ACP, "Session Setup"). Understood are
 * - `{"mcpServers": {"name": {"command", "args", "env"} | {"type": "http" | "sse", "url", "headers"}}}`, the form of `.mcp.json`
 * - `{"servers": {…}}` with the same entries, the form of `.vscode/mcp.json`
 * - `{"mcpServers": […]}`, or the list alone, of servers as ACP has them; `env` and `headers` may be objects or lists of pairs
 *
 * Files may hold comments. A server without a `type` is `stdio` with a `command` and `http` with a `url`; one that says `"disabled": true` is
 * left out. A `cwd` is changed to by a shell before the command starts, and the variables of an `envFile` are read; those of `env` win. In every text `${NAME}`, `${env:NAME}` and `${NAME:-default}` are replaced; a variable that is not set and has no default is an
 * error. Commands become absolute paths, as ACP wants them, where they are found.
 * @param source the path of a file, or what such a file holds
 * @throws McpConfigError with all that is wrong: each server and field by name, no value ever, since most are secrets
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
  // Loaded only when a file is read: most of what imports this package reads none.
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

async function serversOf(config: unknown, label: string, place: ServerPlace): Promise<ConfiguredMcpServer[]> {
  const problems: string[] = [];
  const servers: ConfiguredMcpServer[] = [];
  for (const [name, value] of entriesOf(config, label)) {
    try {
      const entry = new ServerEntry(value, { environment: place.environment, workspace: place.folder });
      if (entry.isTrue('disabled') || (entry.has('enabled') && !entry.isTrue('enabled'))) continue;
      if (servers.some((each) => each.name === name)) throw new EntryProblem('another server has the same name');
      servers.push(readServer(name, entry, place));
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
