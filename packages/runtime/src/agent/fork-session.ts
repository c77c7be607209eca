import type { Agent } from '@turnwire/client';
import { type McpServer, methodNotFound, type SessionFork, turnwireMeta } from '@turnwire/protocol';

/** What an agent is to fork. */
export interface ForkedSource {
  /** The agent's id of the session. */
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
}

/**
 * Has an agent make a session that begins with the history of another, for whichever process goes on with it.
 * @param meta of the request, for the agent
 */
export async function forkSession(
  { peer, capabilities }: Agent,
  { additionalDirectories, ...source }: ForkedSource,
  meta: Readonly<Record<string, unknown>> | undefined,
): Promise<SessionFork> {
  const { fork } = (capabilities.sessionCapabilities ?? {}) as { readonly fork?: unknown };
  if (!fork) throw methodNotFound('session/fork');
  const answer = await peer.raw.request('session/fork', {
    ...source,
    ...(additionalDirectories.length > 0 && { additionalDirectories }),
    ...(meta && { _meta: meta }),
  });
  const { sessionId, _meta } = answer as { readonly sessionId: string; readonly _meta?: Record<string, unknown> };
  // It is open, and an agent may let one process alone have it.
  if (capabilities.sessionCapabilities?.close)
    await peer.raw.request('session/close', { sessionId }).catch(() => undefined);
  const { restored } = turnwireMeta<'session/resume answer'>(_meta);
  return { agentSessionId: sessionId, ...(typeof restored === 'string' && { restored }) };
}
