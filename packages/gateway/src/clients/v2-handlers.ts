import {
  type AgentWork,
  type Handlers,
  type InitializeResponse,
  invalidParams,
  type Params,
  type Result,
  type ResumeSessionResponse,
  TurnwireError,
} from '@turnwire/protocol';
import {
  agentCapabilitiesInVersion2,
  authMethodInVersion2,
  clientCapabilitiesInVersion1,
  mcpServersInVersion1,
  modeOptionId,
  optionsInVersion2,
} from '@turnwire/protocol/translation';
import type { V2 } from '@turnwire/protocol/v2';
import { beginning } from '@turnwire/runtime';
import type { ClientState } from './client-state.ts';
import {
  authenticate,
  cancelTurns,
  type ClientOf,
  closeSession,
  deleteSession,
  extensionHandlers,
  initialize,
  listSessions,
  logOut,
} from './client-requests.ts';
import { newSession, reopenSession } from './session-opening.ts';
import { withWireErrors } from './wire-error.ts';
import { insertPrompt } from './insert-prompt.ts';

/** The handlers of all messages that clients of version 2 send. @param clientOf finds the client that sent a message */
export function v2Handlers(clientOf: ClientOf): Handlers<'agent', V2> {
  return withWireErrors<Handlers<'agent', V2>>({
    ...(extensionHandlers(clientOf) as object as Handlers<'agent', V2>),
    initialize: async ({ capabilities, info }, context) =>
      introduction(
        await initialize(clientOf(context), {
          clientCapabilities: clientCapabilitiesInVersion1(capabilities ?? {}),
          clientInfo: info,
        }),
      ),
    'auth/login': async (login, context) => {
      await authenticate(clientOf(context), login, context);
      return {};
    },
    'auth/logout': async (_, context) => {
      await logOut(clientOf(context));
      return {};
    },
    'session/new': async ({ mcpServers, ...request }, context) => {
      const opened = await newSession(clientOf(context), { ...request, mcpServers: mcpServersInVersion1(mcpServers) });
      return { sessionId: opened.sessionId, ...setUpInVersion2(opened) };
    },
    'session/resume': (request, context) => resume(clientOf(context), request),
    'session/list': (request, context) => listSessions(clientOf(context), request),
    'session/prompt': (request, context) => insertPrompt(clientOf(context), request, context.signal),
    'session/cancel': (request, context) => cancelTurns(clientOf(context), request),
    'session/set_config_option': async ({ sessionId, configId, value }, context) => {
      const { host } = clientOf(context).controlled(sessionId);
      const { modes, configOptions } = host.facts;
      const isMode = configId === modeOptionId && modes && !configOptions?.some(({ id }) => id === modeOptionId);
      if (isMode) await host.agent.setMode(String(value));
      else await host.agent.setConfigOption(configId, value as string | boolean);
      return { configOptions: optionsInVersion2(host.facts.configOptions, host.facts.modes) };
    },
    'session/close': async ({ sessionId }, context) => {
      const client = clientOf(context);
      if (client.opened.has(sessionId)) await closeSession(client, sessionId);
      else client.opened.refuseChild(sessionId);
      return {};
    },
    'session/delete': async ({ sessionId }, context) => {
      await deleteSession(clientOf(context), sessionId);
      return {};
    },
    'tool_call/cancel': ({ sessionId, toolCallId }, context) =>
      cancelWork(clientOf(context), sessionId, { type: 'tool_call', toolCallId }),
    'terminal/cancel': ({ sessionId, terminalId }, context) =>
      cancelWork(clientOf(context), sessionId, { type: 'terminal', terminalId }),
  });
}

/** Cancels a tool call or a terminal. An agent of version 1 cannot do that. */
async function cancelWork(client: ClientState, sessionId: string, work: AgentWork): Promise<object> {
  const { host } = client.controlled(sessionId);
  const isKnown = (error: unknown): error is TurnwireError =>
    error instanceof TurnwireError && (error.code === 'not-advertised' || error.code === 'connection-closed');
  await host.agent.cancelWork(work).catch((error: unknown) => {
    throw isKnown(error) ? invalidParams(error.message) : error;
  });
  return {};
}

/** Opens a session. Only a client that asks for the history receives it. */
async function resume(
  client: ClientState,
  { replayFrom, mcpServers, ...request }: Params<'session/resume', V2>,
): Promise<Result<'session/resume', V2>> {
  if (replayFrom && replayFrom.type !== 'start')
    throw invalidParams(`replayFrom: ${JSON.stringify(replayFrom.type)} is not supported; use "start"`);
  const first = replayFrom ? beginning : undefined;
  const answer = await reopenSession(client, { ...request, mcpServers: mcpServersInVersion1(mcpServers) }, first);
  const { host, subscriber } = client.opened.get(request.sessionId);
  const isWorking = host.state.name === 'working' || host.state.name === 'cancelling';
  subscriber.opened?.({ isReplay: first !== undefined, isWorking });
  return setUpInVersion2(answer);
}

function setUpInVersion2({ modes, configOptions, _meta }: ResumeSessionResponse): Result<'session/resume', V2> {
  const options = optionsInVersion2(configOptions, modes);
  return { ...(options.length > 0 && { configOptions: options }), ...(_meta && { _meta }) };
}

/** The introduction of version 1 in version 2. */
function introduction({
  agentInfo,
  agentCapabilities = {},
  authMethods = [],
  _meta,
}: InitializeResponse): Result<'initialize', V2> {
  return {
    protocolVersion: 2,
    info: agentInfo ?? { name: 'unknown', version: 'unknown' },
    capabilities: agentCapabilitiesInVersion2(agentCapabilities),
    ...(authMethods.length > 0 && { authMethods: authMethods.map(authMethodInVersion2) }),
    ...(_meta && { _meta }),
  };
}
