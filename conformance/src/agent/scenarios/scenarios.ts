import catalogue from './scenarios.json' with { type: 'json' };
import catalogueOfVersion2 from './scenarios-v2.json' with { type: 'json' };
import { scenariosOf } from '../../judge/scenario.ts';
import type { AgentScenario, AgentContext } from '../agent-context.ts';
import { authenticationScenarios } from './protocol/authentication.ts';
import { cancelRequestScenarios } from './protocol/cancel-request.ts';
import { capabilityScenarios } from './protocol/capabilities.ts';
import { contentScenarios } from './protocol/content.ts';
import { framingScenarios } from './protocol/framing.ts';
import { handshakeScenarios } from './protocol/handshake.ts';
import { jsonRpcScenarios } from './protocol/json-rpc.ts';
import { processScenarios } from './protocol/process.ts';
import { httpScenarios } from './remote/http.ts';
import { webSocketScenarios } from './remote/websocket.ts';
import { type AgentSequence, sequencesOf } from './sequence.ts';
import { commandScenarios } from './sessions/commands.ts';
import { configOptionScenarios } from './sessions/config-options.ts';
import { keptSessionScenarios } from './sessions/kept-sessions.ts';
import { listScenarios } from './sessions/list.ts';
import { loadScenarios } from './sessions/load.ts';
import { mcpScenarios } from './sessions/mcp.ts';
import { modeScenarios } from './sessions/modes.ts';
import { newSessionScenarios } from './sessions/new-session.ts';
import { rootScenarios } from './sessions/roots.ts';
import { sharedScenarios } from './sessions/shared.ts';
import { unstableScenarios } from './sessions/unstable.ts';
import { cancelScenarios } from './turns/cancel.ts';
import { elicitationScenarios } from './turns/elicitation.ts';
import { filesScenarios } from './turns/files.ts';
import { permissionScenarios } from './turns/permission.ts';
import { promptTurnScenarios } from './turns/prompt-turn.ts';
import { toolCallsScenarios } from './turns/tool-calls.ts';
import { cancelScenarios as cancelOfVersion2 } from './version-2/cancel.ts';
import { capabilityScenarios as capabilitiesOfVersion2 } from './version-2/capabilities.ts';
import { envelopeScenarios } from './version-2/envelope.ts';
import { handshakeScenarios as handshakeOfVersion2 } from './version-2/handshake.ts';
import { promptScenarios } from './version-2/prompts.ts';
import { resumeScenarios } from './version-2/resume.ts';

const ofVersion2 = catalogueOfVersion2.map((entry) => ({ ...entry, versions: [2] }));
const entries = [...catalogue, ...ofVersion2] as unknown as readonly (Omit<AgentScenario, 'run'> | AgentSequence)[];

/** All scenarios for agents, in the order of a report. */
export const agentScenarios: readonly AgentScenario[] = scenariosOf<AgentContext, AgentScenario>(entries, {
  ...{ ...framingScenarios, ...processScenarios, ...jsonRpcScenarios, ...handshakeScenarios },
  ...{ ...capabilityScenarios, ...contentScenarios, ...authenticationScenarios, ...cancelRequestScenarios },
  ...{ ...newSessionScenarios, ...rootScenarios, ...mcpScenarios, ...loadScenarios, ...keptSessionScenarios },
  ...{ ...listScenarios, ...sharedScenarios, ...modeScenarios, ...configOptionScenarios, ...commandScenarios },
  ...{ ...promptTurnScenarios, ...cancelScenarios, ...toolCallsScenarios, ...permissionScenarios },
  ...{ ...filesScenarios, ...elicitationScenarios, ...httpScenarios, ...webSocketScenarios, ...unstableScenarios },
  ...{ ...handshakeOfVersion2, ...envelopeScenarios, ...capabilitiesOfVersion2, ...promptScenarios },
  ...{ ...cancelOfVersion2, ...resumeScenarios },
  ...sequencesOf(entries),
});
