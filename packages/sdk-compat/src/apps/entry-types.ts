import type { AgentConnectionOf, WithClient } from './agent-app.ts';
import type { ConnectHandler } from './app.ts';
import type { ClientConnectionOf, WithAgent } from './client-app.ts';
import type { Name, NotificationHandlers, ParamsOf, RequestHandlers, ResponseOf, Wire } from './wire.ts';

type Params<Requests> = { [M in Name<Requests>]: ParamsOf<Requests[M]> };
type Responses<Requests> = { [M in Name<Requests>]: ResponseOf<Requests[M]> };

/** The types that every entry exports under the same names, for its messages and contexts. */
export interface EntryTypes<W extends Wire, AgentContext, ClientContext> {
  agentConnection: AgentConnectionOf<AgentContext>;
  clientConnection: ClientConnectionOf<ClientContext>;
  agentConnectHandler: ConnectHandler<AgentConnectionOf<AgentContext>>;
  clientConnectHandler: ConnectHandler<ClientConnectionOf<ClientContext>>;
  agentRequestHandlers: RequestHandlers<W['agentRequests'], WithClient<AgentContext>>;
  agentNotificationHandlers: NotificationHandlers<W['agentNotifications'], WithClient<AgentContext>>;
  clientRequestHandlers: RequestHandlers<W['clientRequests'], WithAgent<ClientContext>>;
  clientNotificationHandlers: NotificationHandlers<W['clientNotifications'], WithAgent<ClientContext>>;
  agentRequestParams: Params<W['agentRequests']>;
  agentResponses: Responses<W['agentRequests']>;
  clientRequestParams: Params<W['clientRequests']>;
  clientResponses: Responses<W['clientRequests']>;
}
