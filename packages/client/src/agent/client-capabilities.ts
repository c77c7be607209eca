import { type ClientCapabilities, mergeCapabilities } from '@turnwire/protocol';
import type { AgentOptions } from './agent.ts';

type Offers = Pick<AgentOptions, 'host' | 'terminalLogin' | 'clientMeta' | 'capabilities' | 'childSessions'>;

/**
 * The capabilities of this client: exactly those that the options provide (protocol: Initialization). Missing ones are explicit:
 * elicitation is `null`, because agents could take `{}` for support.
 */
export function clientCapabilities({
  host = {},
  terminalLogin,
  clientMeta,
  capabilities,
  childSessions,
}: Offers): ClientCapabilities {
  const { files, terminals, elicitation } = host;
  const derived: ClientCapabilities = {
    fs: { readTextFile: files?.readTextFile !== undefined, writeTextFile: files?.writeTextFile !== undefined },
    terminal: terminals !== undefined,
    auth: { terminal: terminalLogin !== undefined },
    elicitation:
      elicitation?.form || elicitation?.url
        ? { ...(elicitation.form && { form: {} }), ...(elicitation.url && { url: {} }) }
        : null,
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    plan: {},
    ...(childSessions && { subagents: {} }),
    ...(clientMeta && { _meta: { ...clientMeta } }),
  };
  return mergeCapabilities(derived, capabilities);
}
