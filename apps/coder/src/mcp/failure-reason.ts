import type { McpServer } from '@turnwire/protocol';
import { isRemote } from './known-server.ts';

/** Why a server failed, with advice, as part of a sentence. It may contain secrets. */
export function failureReason(error: unknown, server: McpServer): string {
  const status = statusOf(error);
  if (status !== undefined) return ofStatus(status);
  if (!(error instanceof Error)) return String(error);
  const { code } = (error.cause ?? error) as { readonly code?: unknown };
  if (typeof code === 'string') return ofCode(code, server) ?? withCause(error);
  return withCause(error);
}

/** The HTTP status in an error of the library. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, code } = error as { readonly status?: unknown; readonly code?: unknown };
  const isHttp = (value: unknown): value is number => typeof value === 'number' && value >= 100 && value < 600;
  if (isHttp(status)) return status;
  if (isHttp(code)) return code;
  // The older transport has the status of a POST only in its message.
  const posted = /\(HTTP (\d{3})\)/.exec(error.message)?.[1];
  return posted === undefined ? undefined : Number(posted);
}

/** Whether an error means that the connection is lost. */
export function isLoss(error: unknown): boolean {
  if (statusOf(error) === 404) return true;
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  return code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED' || error.message === 'fetch failed';
}

/** Whether a server has forgotten the session. MCP specifies status 404; some servers answer otherwise. */
export function isUnknownSession(error: unknown): boolean {
  const status = statusOf(error);
  if (status === 404) return true;
  const { code, message = '' } = (error ?? {}) as { readonly code?: unknown; readonly message?: string };
  return (status === 400 || code === -32_001) && /session/i.test(message);
}

function ofStatus(status: number): string {
  if (status === 401 || status === 403)
    return `it requires a login (HTTP ${status}). Check the header Authorization in its configuration`;
  if (status === 404) return 'there is no MCP server at its address (HTTP 404). Check the path';
  if (status === 405)
    return 'it does not accept this kind of request (HTTP 405). Check whether its type is http or sse';
  if (status >= 500) return `it has an internal error (HTTP ${status}). Try again later: /mcp reconnect`;
  return `it refused (HTTP ${status}). Check its address and type`;
}

function ofCode(code: string, server: McpServer): string | undefined {
  const target = isRemote(server) ? hostOf(server.url) : server.command;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `the program ${target} was not found. Install it, or correct its path in the configuration`,
    EACCES: `the program ${target} may not be run. Check its permissions`,
    ECONNREFUSED: `nothing listens at ${target}. Start the server, or correct its address`,
    ENOTFOUND: `the name of ${target} is not known. Correct its address, or check the network`,
    EAI_AGAIN: `the name of ${target} cannot be looked up now. Check the network`,
  };
  return Object.hasOwn(reasons, code) ? reasons[code] : undefined;
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'its address';
}

function withCause({ message, cause }: Error): string {
  return (cause instanceof Error ? `${message}: ${cause.message}` : message).slice(0, 500);
}
