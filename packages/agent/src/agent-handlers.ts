import {
  type Handlers,
  type Log,
  type NewSessionResponse,
  protocolVersion,
  type RequestContext,
  type ResumeSessionRequest,
  steeringAdvertised,
  type SteeringAnswer,
  steeringMethod,
  steeringRequest,
} from '@turnwire/protocol';
import { offeredMethods } from './agent-auth.ts';
import type { AgentAuth } from './agent-auth.ts';
import { capabilitiesOf, offersForks } from './agent-capabilities.ts';
import type { AgentDefinition } from './definition.ts';
import { loginOf } from './login.ts';
import type { SessionArchive } from './session/session-archive.ts';
import type { Sessions } from './open-sessions/sessions.ts';
import { V1Wire } from './wire/v1-wire.ts';
import { checkBytes } from './turn/check-bytes.ts';

/** The handlers of the methods an agent serves. A method without a handler is not advertised. */
export function agentHandlers<Memory>(
  definition: AgentDefinition<Memory>,
  { sessions, log }: { readonly sessions: Sessions<Memory>; readonly log: Log },
): Handlers<'agent'> {
  const { auth, modes, configOptions, extensions, initializeMeta, steering = false } = definition;
  return {
    ...extensions,
    initialize: ({ clientCapabilities }) => ({
      protocolVersion,
      agentInfo: definition.info,
      agentCapabilities: capabilitiesOf(definition),
      authMethods: offeredMethods(auth, clientCapabilities),
      ...((initializeMeta || steering) && { _meta: { ...(steering && steeringAdvertised), ...initializeMeta } }),
    }),
    ...(auth && authHandlers(auth, log)),
    'session/new': (request, context) => sessions.begin(request, requestFrom(context)),
    'session/prompt': ({ sessionId, prompt, _meta }, context) =>
      sessions.find(sessionId).prompt({ prompt: checkBytes(prompt), _meta }, context.signal),
    'session/cancel': ({ sessionId }) => sessions.cancel(sessionId),
    'session/close': async ({ sessionId }) => {
      await sessions.close(sessionId);
      return {};
    },
    ...(steering && steeringHandlers(sessions)),
    ...(offersForks(definition) && forkHandlers(sessions)),
    ...(sessions.archive && archiveHandlers(sessions, sessions.archive)),
    ...(modes && {
      'session/set_mode': async ({ sessionId, modeId }) => {
        await sessions.find(sessionId).session.setModeForClient(modeId);
        return {};
      },
    }),
    ...((modes ?? configOptions) && {
      'session/set_config_option': async ({ sessionId, configId, value }) => {
        const { session } = sessions.find(sessionId);
        await session.setOptionForClient(configId, value);
        return { configOptions: session.settings.configOptions ?? [] };
      },
    }),
  };
}

/** The client that asks, and the signal that cancels its request. */
function requestFrom({ peer, signal }: RequestContext<'agent'>): {
  readonly client: V1Wire;
  readonly signal: AbortSignal;
} {
  return { client: new V1Wire(peer), signal };
}

function authHandlers({ authenticate, logout }: AgentAuth, log: Log): Handlers<'agent'> {
  return {
    ...(authenticate && {
      authenticate: async (request, { peer, requestId, signal }) => {
        await authenticate(request.methodId, loginOf(request, { wire: new V1Wire(peer), requestId, signal }, log));
        return {};
      },
    }),
    ...(logout && {
      logout: async () => {
        await logout();
        return {};
      },
    }),
  };
}

function steeringHandlers<Memory>(sessions: Sessions<Memory>): Handlers<'agent'> {
  return {
    [steeringMethod]: async (params, { signal }): Promise<SteeringAnswer> => {
      const { sessionId, prompt, _meta } = steeringRequest(params);
      const sent = { prompt: checkBytes(prompt), _meta };
      const isTaken = await sessions.find(sessionId).steer(sent, signal ?? new AbortController().signal);
      return { outcome: isTaken ? 'injected' : 'promptRequired' };
    },
  };
}

function archiveHandlers<Memory>(sessions: Sessions<Memory>, archive: SessionArchive): Handlers<'agent'> {
  return {
    'session/load': (request, context) => sessions.reopen(request, { ...requestFrom(context), replay: true }),
    'session/resume': (request, context) => sessions.reopen(request, { ...requestFrom(context), replay: false }),
    'session/list': (request) => archive.list(request),
    'session/delete': async ({ sessionId }) => {
      await sessions.delete(sessionId);
      return {};
    },
  };
}

function forkHandlers<Memory>(sessions: Sessions<Memory>): Handlers<'agent'> {
  // An unstable method, which the stable handlers have no type for.
  const fork = (request: ResumeSessionRequest, context: RequestContext<'agent'>): Promise<NewSessionResponse> =>
    sessions.fork(request, requestFrom(context));
  return { 'session/fork': fork } as Handlers<'agent'>;
}
