import type { Agent } from '@turnwire/client';
import { type McpServer, methodNotFound, type SessionFork, turnwireMeta } from '@turnwire/protocol';

/** The session to fork. */
export interface ForkedSource {
  /** The agent's id of the session. */
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
}

/**
 * Asks an agent for a session that begins with the history of another one. Any process may continue it.
 * @param meta `_meta` of the request, for the agent
 */
export async function forkSession(
  { peer, capabilities, version }: Agent,
  { additionalDirectories, mcpServers, ...source }: ForkedSource,
  meta: Readonly<Record<string, unknown>> | undefined,
): Promise<SessionFork> {
  const { fork } = (capabilities.sessionCapabilities ?? {}) as { readonly fork?: unknown };
  if (!fork) throw methodNotFound('session/fork');
  const answer = await peer.raw.request('session/fork', {
    ...source,
    // In version 2 servers that are processes have a type too.
    mcpServers: version === 2 ? mcpServers.map((server) => ({ type: 'stdio', ...server })) : mcpServers,
    ...(additionalDirectories.length > 0 && { additionalDirectories }),
    ...(meta && { _meta: meta }),
  });
  const { sessionId, _meta } = answer as { readonly sessionId: string; readonly _meta?: Record<string, unknown> };
  // The fork is open, and an agent may give a session to one process only.
  if (capabilities.sessionCapabilities?.close)
    await peer.raw.request('session/close', { sessionId }).catch(() => undefined);
  const { restored } = turnwireMeta<'session/resume answer'>(_meta);
  return { agentSessionId: sessionId, ...(typeof restored === 'string' && { restored }) };
}
