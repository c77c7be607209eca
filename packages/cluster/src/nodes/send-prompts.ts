import { connectClient, type McpServer, protocolVersion, type TurnwireMeta, turnwireMeta } from '@turnwire/protocol';
import type { HandedPrompt, SessionRecord } from '@turnwire/runtime';
import { linkTransport, type NodeLinkTarget } from './node-link.ts';

/**
 * Sends prompts to another node, which continues the session. They run there, with no client that waits for their answers. Rejects unless the node
 * accepts all of them.
 */
export async function sendPrompts(
  target: Omit<NodeLinkTarget, 'agent' | 'principal' | 'firstId'>,
  { tenant, id: sessionId, agent, cwd, additionalDirectories, facts }: SessionRecord,
  prompts: readonly HandedPrompt[],
): Promise<void> {
  const principal = { tenant, scope: 'admin', isOwner: true } as const;
  const setUp = {
    cwd,
    additionalDirectories,
    mcpServers: (facts['mcpServers'] as readonly McpServer[] | undefined) ?? [],
  };
  for (const { by, content: prompt, key, limits, rules, meta } of prompts) {
    const peer = connectClient(linkTransport({ ...target, agent, principal, firstId: 0 }), {});
    try {
      const clientInfo = { name: by.client, version: '1' };
      const capabilities: TurnwireMeta['initialize'] = { asks: false };
      await peer.request('initialize', {
        protocolVersion,
        clientInfo,
        clientCapabilities: { _meta: { turnwire: capabilities } },
      });
      await peer.request('session/resume', { sessionId, ...setUp });
      const turnwire: TurnwireMeta['session/prompt'] = { ...turnwireMeta<'session/prompt'>(meta), key, limits, rules };
      await peer.request('_turnwire/enqueue', { sessionId, prompt: [...prompt], _meta: { ...meta, turnwire } });
    } finally {
      await peer.close();
    }
  }
}
