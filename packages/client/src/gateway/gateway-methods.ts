import type { EventAuthor, TurnwireMethods, TurnwireNotification, TurnwireRequest } from '@turnwire/protocol';
import type { Agent, AgentOptions } from '../agent/agent.ts';
import type { TranscriptEvent } from '../transcript/transcript-event.ts';

/** An event in the log of a gateway. `by`: the client that caused it. */
export type SessionEvent = TranscriptEvent & { readonly by?: EventAuthor };

/** The methods that a gateway adds to the protocol. */
export type GatewayMethods = TurnwireMethods<SessionEvent>;

/** Sends a request to a gateway. Rejects as `agent.peer.request` does. */
export async function askGateway<Method extends TurnwireRequest>(
  { peer }: Pick<Agent, 'peer'>,
  method: Method,
  params: GatewayMethods[Method]['params'],
): Promise<GatewayMethods[Method]['result']> {
  return (await peer.request(method, params)) as GatewayMethods[Method]['result'];
}

/** Handlers for the notifications of a gateway. A returned promise delays the next one. */
export type GatewayHandlers = {
  readonly [Method in TurnwireNotification]?: (
    params: GatewayMethods[Method]['params'],
  ) => Promise<void> | undefined | void;
};

/** Makes {@link GatewayHandlers} the `extensions` of an agent. A client trusts its gateway, so nothing checks the parameters. */
export function gatewayExtensions(handlers: GatewayHandlers): NonNullable<AgentOptions['extensions']> {
  return handlers as NonNullable<AgentOptions['extensions']>;
}
