import {
  type CancelNotification,
  errorCodes,
  type Handlers,
  type InitializeRequest,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  methodNotFound,
  ProtocolError,
  type RequestContext,
  steeringMethod,
  steeringRequest,
} from '@turnwire/protocol';
import { unknownAgent } from '@turnwire/runtime';
import type { ClientState } from './client-state.ts';
import { initialized, usedCapabilities } from './introduction.ts';
import { listedSession } from './listed-session.ts';
import { promptMeta } from './prompt-meta.ts';
import { steer } from './prompting.ts';
import { forkSession } from './session-opening.ts';
import { turnwireHandlers } from './turnwire-handlers.ts';
import { turnwireMeta } from './turnwire-meta.ts';

/** Finds the client that sent a message. */
export type ClientOf = (context: { readonly peer: object }) => ClientState;

/** Answers `initialize` of either version, in the form of version 1. */
export async function initialize(
  client: ClientState,
  { clientCapabilities = {}, clientInfo }: Pick<InitializeRequest, 'clientCapabilities' | 'clientInfo'>,
): Promise<InitializeResponse> {
  client.capabilities = usedCapabilities(clientCapabilities);
  client.name = clientInfo?.title ?? clientInfo?.name ?? 'unknown';
  return initialized(client.startsLater ? unknownAgent : await client.owner.warm.facts(), client.id);
}

/**
 * Logs in the client's sessions that wait for a login, which then continue. Without such a session, the login is for the next one. The questions
 * of the agent about the login go to the client.
 */
export async function authenticate(
  client: ClientState,
  { methodId }: { readonly methodId: string },
  { requestId }: Pick<RequestContext, 'requestId'>,
): Promise<void> {
  client.refuseObserver();
  const waiting = client.opened.waitingForLogin;
  const login = { methodId, questions: client.questionsOf(requestId) };
  if (waiting.length === 0) return client.owner.warm.authenticate(login);
  await Promise.all(waiting.map((host) => host.authenticate(login)));
}

/** Logs out of the agents of the client's sessions, or of the agent for the next session. Ignores agents that offer no logout. */
export async function logOut(client: ClientState): Promise<void> {
  client.refuseObserver();
  const hosts = client.opened.hosts;
  await Promise.all(hosts.length > 0 ? hosts.map((host) => host.logOut()) : [client.owner.warm.logOut()]);
}

/** Forwards the agent's own methods, which name a session. The gateway itself cannot be reached this way. */
async function extension(
  client: ClientState,
  params: unknown,
  { method, requestId }: { readonly method: string } & Partial<Pick<RequestContext, 'requestId'>>,
): Promise<unknown> {
  // This method is not yet part of the stable protocol.
  if (method === 'session/fork') return forkSession(client, params);
  const sessionId = (params as { readonly sessionId?: unknown } | null | undefined)?.sessionId;
  if (!method.startsWith('_') || method.startsWith('_turnwire/') || typeof sessionId !== 'string')
    throw methodNotFound(method);
  const { host } = client.controlled(sessionId);
  const { _meta, ...rest } = params as { readonly _meta?: Readonly<Record<string, unknown>> };
  const { meta } = promptMeta(_meta, client.principal);
  return host.agent.call(method, { ...rest, ...(meta && { _meta: meta }) }, requestId !== undefined);
}

/** Answers `session/list`. */
export async function listSessions(
  { sessions, owner }: ClientState,
  { cwd, cursor }: Pick<ListSessionsRequest, 'cwd' | 'cursor'>,
): Promise<ListSessionsResponse> {
  const page = await sessions.list({ cwd: cwd ?? undefined, after: cursor ?? undefined }, owner);
  const shown = page.sessions.map((record) => listedSession(record, sessions.activityOf(record.id)));
  return { sessions: shown, ...(page.next !== undefined && { nextCursor: page.next }) };
}

/** Cancels the prompts of the client in a session; if it has none, the running turn. Of a child session, all of its work. */
export function cancelTurns(
  client: ClientState,
  { sessionId, _meta }: Pick<CancelNotification, 'sessionId' | '_meta'>,
): void {
  const parent = client.opened.has(sessionId) ? undefined : client.opened.parentOf(sessionId);
  if (parent) {
    const { host } = client.controlled(parent.host.id);
    return void host.agent.cancelWork({ type: 'subagent', sessionId }).catch(() => undefined);
  }
  const { host, subscriber } = client.controlled(sessionId);
  if (turnwireMeta(_meta)['keepWaiting'] === true) return void host.turns.cancelRunning();
  const isOver = client.arriving.cancel(sessionId) && host.turns.queue.of(subscriber).length === 0;
  if (!isOver) void host.turns.cancel(subscriber);
}

/** Closes a session for the client. The last client closes it for all. */
export async function closeSession(client: ClientState, sessionId: string): Promise<void> {
  const { host, subscription } = client.controlled(sessionId);
  await host.closeFor(subscription);
  client.opened.delete(sessionId);
}

/** Deletes a session. One that does not exist, or belongs to another tenant, needs nothing. */
export async function deleteSession(client: ClientState, sessionId: string): Promise<void> {
  client.refuseObserver();
  client.opened.refuseChild(sessionId);
  await client.sessions.delete(sessionId, client.owner).catch((error: unknown) => {
    if (!(error instanceof ProtocolError && error.code === errorCodes.resourceNotFound)) throw error;
  });
}

/** The handlers of the methods that the protocol does not define: ours, and those of the agent. */
export function extensionHandlers(clientOf: ClientOf): Handlers<'agent'> {
  const ours = Object.entries(turnwireHandlers).map(([method, handle]) => [
    method,
    (params: unknown, context: { readonly peer: object }) => handle(clientOf(context), params),
  ]);
  return {
    ...(Object.fromEntries(ours) as Handlers<'agent'>),
    [steeringMethod]: (params, context) => steer(clientOf(context), steeringRequest(params)),
    '*': (params, context) => extension(clientOf(context), params, context),
  };
}
