import {
  type Handlers,
  type InitializeRequest,
  type InitializeResponse,
  methodNotFound,
  type RequestContext,
  type SessionInfo,
  steeringMethod,
  steeringRequest,
} from '@turnwire/protocol';
import { beginning, type Session, type SessionRecord, unknownAgent } from '@turnwire/runtime';
import { initialized, usedCapabilities } from './introduction.ts';
import { promptMeta } from './prompt-meta.ts';
import { prompt, steer } from './prompting.ts';
import type { ClientState } from './client-state.ts';
import { forkSession, newSession, reopenSession } from './session-opening.ts';
import { shownOptions } from './shown-options.ts';
import { turnwireHandlers } from './turnwire-handlers.ts';
import { turnwireMeta } from './turnwire-meta.ts';
import { withWireErrors } from './wire-error.ts';

/** The handlers of all messages that clients send. @param clientOf finds the client that sent a message */
export function clientHandlers(clientOf: (context: { readonly peer: object }) => ClientState): Handlers<'agent'> {
  const ours = Object.entries(turnwireHandlers).map(([method, handle]) => [
    method,
    (params: unknown, context: { readonly peer: object }) => handle(clientOf(context), params),
  ]);
  return withWireErrors({
    initialize: (request, context) => initialize(clientOf(context), request),
    authenticate: async ({ methodId }, context) => {
      await authenticate(clientOf(context), methodId);
      return {};
    },
    'session/new': (request, context) => newSession(clientOf(context), request),
    'session/load': (request, context) => reopenSession(clientOf(context), request, beginning),
    'session/resume': (request, context) => reopenSession(clientOf(context), request, undefined),
    'session/list': async ({ cwd, cursor }, context) => {
      const { sessions, owner } = clientOf(context);
      const page = await sessions.list({ cwd: cwd ?? undefined, after: cursor ?? undefined }, owner);
      const shown = page.sessions.map((record) => listedSession(record, sessions.activityOf(record.id)));
      return { sessions: shown, ...(page.next !== undefined && { nextCursor: page.next }) };
    },
    'session/prompt': (request, context) => prompt(clientOf(context), request, context),
    'session/cancel': ({ sessionId, _meta }, context) => {
      const { host, subscriber } = clientOf(context).controlled(sessionId);
      void (turnwireMeta(_meta)['keepWaiting'] === true ? host.turns.cancelRunning() : host.turns.cancel(subscriber));
    },
    'session/set_mode': async ({ sessionId, modeId }, context) => {
      await clientOf(context).controlled(sessionId).host.agent.setMode(modeId);
      return {};
    },
    'session/set_config_option': async ({ sessionId, configId, value }, context) => {
      const { host, subscriber } = clientOf(context).controlled(sessionId);
      await host.agent.setConfigOption(configId, value);
      return { configOptions: shownOptions(host.facts.configOptions ?? [], subscriber.capabilities) };
    },
    'session/close': async ({ sessionId }, context) => {
      const client = clientOf(context);
      const { host, subscription } = client.controlled(sessionId);
      await host.closeFor(subscription);
      client.opened.delete(sessionId);
      return {};
    },
    'session/delete': async ({ sessionId }, context) => {
      const client = clientOf(context);
      client.refuseObserver();
      await client.sessions.delete(sessionId, client.owner);
      return {};
    },
    ...(Object.fromEntries(ours) as Handlers<'agent'>),
    [steeringMethod]: (params, context) => steer(clientOf(context), steeringRequest(params)),
    '*': (params, context) => extension(clientOf(context), params, context),
  });
}

async function initialize(
  client: ClientState,
  { clientCapabilities = {}, clientInfo }: InitializeRequest,
): Promise<InitializeResponse> {
  client.capabilities = usedCapabilities(clientCapabilities);
  client.name = clientInfo?.title ?? clientInfo?.name ?? 'unknown';
  return initialized(client.startsLater ? unknownAgent : await client.owner.warm.facts(), client.id);
}

/** A session as `session/list` returns it. `state`: the activity of an open session. */
function listedSession(record: SessionRecord, state: Session['activity']): SessionInfo {
  const { id, cwd, additionalDirectories, title, updatedAt, agent, closedAt } = record;
  const closed = closedAt !== null && { closedAt: new Date(closedAt).toISOString() };
  return {
    sessionId: id,
    cwd,
    additionalDirectories,
    title,
    updatedAt: new Date(updatedAt).toISOString(),
    _meta: { turnwire: { agent, ...closed, ...(state && { state }) } },
  };
}

/** Logs in the client's sessions that wait for a login, which then continue. Without such a session, the login is for the next one. */
async function authenticate(client: ClientState, methodId: string): Promise<void> {
  client.refuseObserver();
  const waiting = client.opened.waitingForLogin;
  if (waiting.length === 0) return client.owner.warm.authenticate(methodId);
  await Promise.all(waiting.map((host) => host.authenticate(methodId)));
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
