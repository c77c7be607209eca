import { protocolVersion } from '@agentwire/protocol';
import type { AgentCapabilities, Handlers } from '@agentwire/protocol';
import type { AgentDefinition } from './definition.ts';
import type { Sessions } from './session/sessions.ts';

/** What an agent answers to what a client sends. A method that is not here was not advertised. */
export function agentHandlers<Memory>(
  definition: AgentDefinition<Memory>,
  sessions: Sessions<Memory>,
): Handlers<'agent'> {
  return {
    ...definition.extensions,
    initialize: () => ({
      protocolVersion,
      agentInfo: definition.info,
      agentCapabilities: capabilitiesOf(definition),
      authMethods: [],
    }),
    'session/new': async ({ cwd, additionalDirectories = [], mcpServers }) => ({
      sessionId: await sessions.open({ cwd, additionalDirectories, mcpServers }),
    }),
    'session/prompt': ({ sessionId, prompt }, context) => sessions.find(sessionId).prompt(prompt, context),
    'session/cancel': ({ sessionId }) => sessions.cancel(sessionId),
    'session/close': async ({ sessionId }) => {
      await sessions.close(sessionId);
      return {};
    },
  };
}

type Advertised = Pick<AgentDefinition, 'promptCapabilities' | 'additionalDirectories'>;

function capabilitiesOf({ promptCapabilities, additionalDirectories = false }: Advertised): AgentCapabilities {
  return {
    ...(promptCapabilities && { promptCapabilities }),
    sessionCapabilities: { close: {}, ...(additionalDirectories && { additionalDirectories: {} }) },
  };
}
