import { readFileSync } from 'node:fs';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { findProgram, programContext } from '../find-program.ts';
import { EntryProblem, type NamedValue, type ServerEntry } from './server-entry.ts';
import type { EnvironmentVariables } from '../own-folders.ts';

/** An MCP server in the form of ACP. */
export type ConfiguredMcpServer =
  | { name: string; command: string; args: string[]; env: NamedValue[] }
  | { type: 'http' | 'sse'; name: string; url: string; headers: NamedValue[] };

/** The context in which servers are started. */
export interface ServerContext {
  readonly environment: EnvironmentVariables;
  /** The base of relative commands. */
  readonly folder: string | undefined;
}

/**
 * Converts an entry to an ACP server.
 * @throws EntryProblem
 */
export function readServer(name: string, entry: ServerEntry, context: ServerContext): ConfiguredMcpServer {
  const type = typeOf(entry);
  if (type !== 'stdio') return { type, name, url: urlOf(entry), headers: headersOf(entry) };
  const program = { command: commandOf(entry, context), args: entry.texts('args') };
  return { name, ...inFolder(program, entry, context), env: environmentOf(entry, context) };
}

interface Program {
  readonly command: string;
  readonly args: string[];
}

/** Starts a program in the folder of the entry. ACP lacks a field for the folder, so a shell changes to it first. */
function inFolder({ command, args }: Program, entry: ServerEntry, { folder }: ServerContext): Program {
  if (!entry.has('cwd')) return { command, args };
  if (process.platform === 'win32') return entry.fail('cwd', 'it cannot be set on Windows: start a script that does');
  const cwd = absolute('cwd', entry, folder);
  return { command: '/bin/sh', args: ['-c', 'cd "$0" && exec "$@"', cwd, command, ...args] };
}

/** The variables of `env`, which take precedence, and those of the file in `envFile`. */
function environmentOf(entry: ServerEntry, { folder }: ServerContext): NamedValue[] {
  const own = entry.pairs('env');
  if (!entry.has('envFile')) return own;
  const path = absolute('envFile', entry, folder);
  const text = readIfThere(path) ?? entry.fail('envFile', 'there is no such file, or it cannot be read');
  const named = new Set(own.map(({ name }) => name));
  const filed = Object.entries(parseEnv(text)).map(([name, value]) => ({ name, value: value ?? '' }));
  return [...filed.filter(({ name }) => !named.has(name)), ...own];
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function absolute(field: string, entry: ServerEntry, folder: string | undefined): string {
  const path = entry.text(field);
  if (isAbsolute(path)) return path;
  return folder === undefined ? entry.fail(field, relativeProblem) : resolve(folder, path);
}

const relativeProblem = 'it is relative, and no base folder was given';

const types: Readonly<Record<string, 'stdio' | 'http' | 'sse'>> = {
  stdio: 'stdio',
  http: 'http',
  sse: 'sse',
  'streamable-http': 'http',
  streamable_http: 'http',
  streamableHttp: 'http',
};

function typeOf(entry: ServerEntry): 'stdio' | 'http' | 'sse' {
  const field = entry.has('type') ? 'type' : 'transport';
  if (entry.has(field)) {
    const type = entry.text(field);
    return (Object.hasOwn(types, type) ? types[type] : undefined) ?? entry.fail(field, 'expected stdio, http or sse');
  }
  if (entry.has('command') && entry.has('url'))
    entry.fail('type', 'is required, since there are both a command and a url');
  if (!entry.has('command') && !entry.has('url')) throw new EntryProblem('expected a command or a url');
  return entry.has('url') ? 'http' : 'stdio';
}

function urlOf(entry: ServerEntry): string {
  const url = entry.text('url');
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
  return protocol === 'http:' || protocol === 'https:' ? url : entry.fail('url', 'expected an http or https address');
}

function headersOf(entry: ServerEntry): ReturnType<ServerEntry['pairs']> {
  const headers = entry.pairs('headers');
  for (const { name, value } of headers) {
    if (!isHeader(name, value)) entry.fail(`headers.${name}`, 'it cannot be sent as an HTTP header');
  }
  return headers;
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}

// ACP requires an absolute path. A name that is not found stays: the agent may run where it exists.
function commandOf(entry: ServerEntry, { environment, folder }: ServerContext): string {
  const command = entry.text('command');
  if (isAbsolute(command)) return command;
  if (!/[\\/]/u.test(command))
    return findProgram(command, programContext(folder ?? process.cwd(), setOnes(environment))) ?? command;
  return absolute('command', entry, folder);
}

/** The variables that are set. Relative folders on the PATH are removed: in a project they may contain anyone's programs. */
function setOnes(environment: ServerContext['environment']): Readonly<Record<string, string>> {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name.toUpperCase() === 'PATH' ? absoluteFolders(value) : value]),
  );
}

function absoluteFolders(path: string): string {
  return path.split(delimiter).filter(isAbsolute).join(delimiter);
}
