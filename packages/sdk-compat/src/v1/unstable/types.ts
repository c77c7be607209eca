import type { WithClient } from '../../apps/agent-app.ts';
import type { WithAgent } from '../../apps/client-app.ts';
import type { EntryTypes } from '../../apps/entry-types.ts';
import type { HandlerContext, Name, WithRequestId } from '../../apps/wire.ts';
import type { Definitions } from '../../generated/v1-unstable-types.ts';
import type { MaybePromise } from '../../json-rpc/messages.ts';
import type { ActiveSessionMessageOf } from '../../sessions/active-session.ts';
import type { AgentContext, ClientContext, EntryWire } from './app.ts';

type Types = EntryTypes<EntryWire, AgentContext, ClientContext>;

/** An update of a session, or the end of a turn. */
export type ActiveSessionMessage = ActiveSessionMessageOf<Definitions>;

/** The agent's end of a connection. */
export type AgentConnection = Types['agentConnection'];
/** Called for each new connection of the agent. */
export type AgentConnectHandler = Types['agentConnectHandler'];
/** The context of the agent's handlers. */
export type AgentHandlerContext<Params> = HandlerContext<Params> & WithClient<AgentContext>;
/** The context of the agent's handlers of requests. */
export type AgentRequestContext<Params> = AgentHandlerContext<Params> & WithRequestId;
/** The context of the agent's handlers of notifications. */
export type AgentNotificationContext<Params> = AgentHandlerContext<Params>;
/** A handler of a request to the agent. */
export type AgentRequestHandler<Params, Response> = (context: AgentRequestContext<Params>) => MaybePromise<Response>;
/** A handler of a notification to the agent. */
export type AgentNotificationHandler<Params> = (context: AgentNotificationContext<Params>) => MaybePromise<void>;
/** The agent's handlers of requests, by method. */
export type AgentRequestHandlersByMethod = Types['agentRequestHandlers'];
/** The agent's handlers of notifications, by method. */
export type AgentNotificationHandlersByMethod = Types['agentNotificationHandlers'];
/** The requests that the agent handles. */
export type AgentRequestMethod = Name<AgentRequestHandlersByMethod>;
/** The notifications that the agent handles. */
export type AgentNotificationMethod = Name<AgentNotificationHandlersByMethod>;
/** The parameters of requests to the agent, by method. */
export type AgentRequestParamsByMethod = Types['agentRequestParams'];
/** The answers of the agent, by method. */
export type AgentRequestResponsesByMethod = Types['agentResponses'];
/** The parameters of notifications to the agent, by method. */
export type AgentNotificationParamsByMethod = EntryWire['agentNotifications'];

/** The client's end of a connection. */
export type ClientConnection = Types['clientConnection'];
/** Called for each new connection of the client. */
export type ClientConnectHandler = Types['clientConnectHandler'];
/** The context of the client's handlers. */
export type ClientHandlerContext<Params> = HandlerContext<Params> & WithAgent<ClientContext>;
/** The context of the client's handlers of requests. */
export type ClientRequestContext<Params> = ClientHandlerContext<Params> & WithRequestId;
/** The context of the client's handlers of notifications. */
export type ClientNotificationContext<Params> = ClientHandlerContext<Params>;
/** A handler of a request to the client. */
export type ClientRequestHandler<Params, Response> = (context: ClientRequestContext<Params>) => MaybePromise<Response>;
/** A handler of a notification to the client. */
export type ClientNotificationHandler<Params> = (context: ClientNotificationContext<Params>) => MaybePromise<void>;
/** The client's handlers of requests, by method. */
export type ClientRequestHandlersByMethod = Types['clientRequestHandlers'];
/** The client's handlers of notifications, by method. */
export type ClientNotificationHandlersByMethod = Types['clientNotificationHandlers'];
/** The requests that the client handles. */
export type ClientRequestMethod = Name<ClientRequestHandlersByMethod>;
/** The notifications that the client handles. */
export type ClientNotificationMethod = Name<ClientNotificationHandlersByMethod>;
/** The parameters of requests to the client, by method. */
export type ClientRequestParamsByMethod = Types['clientRequestParams'];
/** The answers of the client, by method. */
export type ClientRequestResponsesByMethod = Types['clientResponses'];
/** The parameters of notifications to the client, by method. */
export type ClientNotificationParamsByMethod = EntryWire['clientNotifications'];
