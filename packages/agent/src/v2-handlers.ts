import {
  errorCodes,
  type Handlers,
  invalidParams,
  type Log,
  type Params,
  ProtocolError,
  type RequestContext,
  type Result,
} from '@turnwire/protocol';
import {
  agentCapabilitiesInVersion2,
  authMethodInVersion2,
  clientCapabilitiesInVersion1,
  commandInVersion2,
  mcpServersInVersion1,
  optionInVersion2,
} from '@turnwire/protocol/translation';
import type { V2 } from '@turnwire/protocol/v2';
import { offeredMethods } from './agent-auth.ts';
import type { AgentAuth } from './agent-auth.ts';
import { capabilitiesOf } from './agent-capabilities.ts';
import type { AgentDefinition } from './definition.ts';
import { loginOf } from './login.ts';
import type { SetUpAnswer } from './open-sessions/live-session.ts';
import type { Sessions } from './open-sessions/sessions.ts';
import { checkBytes } from './turn/check-bytes.ts';
import { V2Wire } from './v2/v2-wire.ts';

type Context = RequestContext<'agent', V2>;

/** The handlers of version 2. A definition is the same in both versions. */
export function v2Handlers<Memory>(
  definition: AgentDefinition<Memory>,
  { sessions, log }: { readonly sessions: Sessions<Memory>; readonly log: Log },
): Handlers<'agent', V2> {
  const { auth, modes, configOptions, initializeMeta } = definition;
  return {
    ...extensionsOf(definition),
    initialize: ({ capabilities }) => {
      const methods = offeredMethods(auth, clientCapabilitiesInVersion1(capabilities ?? {}));
      return {
        protocolVersion: 2,
        info: definition.info,
        capabilities: agentCapabilitiesInVersion2(capabilitiesOf(definition)),
        ...(methods.length > 0 && { authMethods: methods.map(authMethodInVersion2) }),
        ...(initializeMeta && { _meta: initializeMeta }),
      };
    },
    ...(auth && authHandlers(auth, log)),
    ...sessionHandlers(sessions),
    'session/prompt': async ({ sessionId, prompt, idempotencyKey, _meta }, { signal }) => {
      if (prompt.length === 0) throw invalidParams('prompt: expected at least one block');
      const key = typeof idempotencyKey === 'string' && { idempotencyKey };
      const sent = { prompt: checkBytes(prompt as Parameters<typeof checkBytes>[0]), _meta, ...key };
      return { messageId: await sessions.find(sessionId).insert(sent, signal) };
    },
    'session/cancel': ({ sessionId }) => sessions.cancel(sessionId),
    'tool_call/cancel': ({ sessionId, toolCallId }) => {
      sessions.find(sessionId).wire.cancelToolCall(toolCallId);
      return {};
    },
    'terminal/cancel': ({ sessionId, terminalId }) => {
      sessions.find(sessionId).wire.cancelTerminal(terminalId);
      return {};
    },
    ...((modes ?? configOptions) && {
      'session/set_config_option': async (request) => {
        const { session } = sessions.find(request.sessionId);
        const isValid = request.type === 'id' || request.type === 'boolean';
        if (!isValid) throw invalidParams(`type: ${JSON.stringify(request.type)} is neither "id" nor "boolean"`);
        await session.setOptionForClient(request.configId, request.value);
        return { configOptions: (session.settings.configOptions ?? []).map(optionInVersion2) };
      },
    }),
  };
}

function sessionHandlers<Memory>(sessions: Sessions<Memory>): Handlers<'agent', V2> {
  const { archive } = sessions;
  return {
    'session/new': async ({ cwd, additionalDirectories, mcpServers, _meta }, context) => {
      const request = { cwd, additionalDirectories, mcpServers: mcpServersInVersion1(mcpServers), _meta };
      const { sessionId, ...setUp } = await sessions.begin(request, requestFrom(context));
      return { sessionId, ...asSetUp(setUp) };
    },
    'session/resume': async (request, context) => asSetUp(await resume(sessions, request, context)),
    'session/list': async ({ cwd, cursor }) =>
      archive ? archive.list({ cwd, cursor }) : sessions.open(cwd ?? undefined),
    'session/close': async ({ sessionId }) => {
      if (sessions.has(sessionId)) await sessions.close(sessionId);
      return {};
    },
    ...(archive && {
      'session/delete': async ({ sessionId }) => {
        await sessions.delete(sessionId);
        return {};
      },
    }),
  };
}

/** Without a store only an open session can continue. It has no history then. */
async function resume<Memory>(
  sessions: Sessions<Memory>,
  { sessionId, cwd, additionalDirectories, mcpServers, replayFrom, _meta }: Params<'session/resume', V2>,
  context: Context,
): Promise<SetUpAnswer> {
  if (replayFrom && replayFrom.type !== 'start')
    throw invalidParams(`replayFrom: ${JSON.stringify(replayFrom.type)} is not supported; use "start"`);
  const replay = Boolean(replayFrom);
  if (!sessions.archive) return sessions.find(sessionId).continueOpen(replay, context.signal);
  const request = { sessionId, cwd, additionalDirectories, mcpServers: mcpServersInVersion1(mcpServers), _meta };
  return sessions.reopen(request, { ...requestFrom(context), replay });
}

/** The client that asks, and the signal that cancels its request. */
function requestFrom({ peer, signal }: Context): { readonly client: V2Wire; readonly signal: AbortSignal } {
  return { client: new V2Wire(peer), signal };
}

/** Modes are an option in version 2. */
function asSetUp({ configOptions, availableCommands, _meta }: SetUpAnswer): Result<'session/resume', V2> {
  return {
    ...(configOptions && { configOptions: configOptions.map(optionInVersion2) }),
    ...(availableCommands && { availableCommands: availableCommands.map(commandInVersion2) }),
    ...(_meta && { _meta }),
  };
}

function authHandlers({ authenticate, logout }: AgentAuth, log: Log): Handlers<'agent', V2> {
  return {
    ...(authenticate && {
      'auth/login': async (request, { peer, requestId, signal }) => {
        await authenticate(request.methodId, loginOf(request, { wire: new V2Wire(peer), requestId, signal }, log));
        return {};
      },
    }),
    'auth/logout': async () => {
      if (!logout)
        throw new ProtocolError(errorCodes.internalError, 'This agent has no logout: log out with its own program');
      await logout();
      return {};
    },
  };
}

/** The extension methods of a definition. Those of an edition of version 1 do not exist in version 2. */
function extensionsOf<Memory>({ extensions = {} }: AgentDefinition<Memory>): Handlers<'agent', V2> {
  const named = Object.entries(extensions).filter(([method]) => method === '*' || method.startsWith('_'));
  return Object.fromEntries(named) as Handlers<'agent', V2>;
}
