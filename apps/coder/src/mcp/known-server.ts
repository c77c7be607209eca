import type { ProjectProposal } from '@turnwire/machine';
import type { McpServer } from '@turnwire/protocol';

/** A configured server. */
export interface KnownServer {
  readonly name: string;
  readonly origin: 'client' | 'user' | 'project';
  readonly server: McpServer;
  /** Present for a server of a project: it is connected only after the user has agreed to exactly this. */
  readonly proposal?: ProjectProposal;
}

/** The entry for the user to judge: the command line or the address as written, with its variables or headers. */
export function describeProposal({ entry }: ProjectProposal): string {
  const { command, args, url, env, headers } = entry as Readonly<Record<string, unknown>>;
  const parts = [command ?? url, ...(Array.isArray(args) ? (args as readonly unknown[]) : [])];
  return [
    parts.map((word) => quoted(String(word))).join(' '),
    ...(isFilled(env) ? [`with the variables ${JSON.stringify(env)}`] : []),
    ...(isFilled(headers) ? [`with the headers ${JSON.stringify(headers)}`] : []),
  ].join('\n');
}

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** A server for lists: its command line, or its address. Never the values of headers and variables. */
export function describeServer(server: McpServer): string {
  if (!isRemote(server)) return [server.command, ...server.args].map(quoted).join(' ');
  if (!URL.canParse(server.url)) return server.url;
  const { origin, pathname } = new URL(server.url);
  return `${origin}${pathname}`;
}

/** Whether a server has an address instead of a command. */
export function isRemote(server: McpServer): server is Extract<McpServer, { readonly url: string }> {
  return server.type === 'http' || server.type === 'sse';
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\${}?&~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
