import type { ClientCapabilities } from '@turnwire/protocol';
import type { HostElicitation } from '../host/host.ts';
import type { AgentOptions } from './agent.ts';

type Offers = Pick<AgentOptions, 'host' | 'terminalLogin' | 'clientMeta'>;

/**
 * What to tell an agent of this side: exactly what is there, and of what is not there that it is not (protocol: Initialization).
 * `null` for no questions at all, since `{}` is easily read as a yes.
 */
export function clientCapabilities({ host = {}, terminalLogin, clientMeta }: Offers): ClientCapabilities {
  const { files, terminals, elicitation } = host;
  return {
    fs: { readTextFile: files?.readTextFile !== undefined, writeTextFile: files?.writeTextFile !== undefined },
    terminal: terminals !== undefined,
    auth: { terminal: terminalLogin !== undefined },
    elicitation: elicitation === undefined ? null : elicitationModes(elicitation),
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    ...(clientMeta && { _meta: { ...clientMeta } }),
  };
}

function elicitationModes({ form, url }: HostElicitation): ClientCapabilities['elicitation'] {
  return form || url ? { ...(form && { form: {} }), ...(url && { url: {} }) } : null;
}
