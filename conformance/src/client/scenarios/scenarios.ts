import catalogue from './scenarios.json' with { type: 'json' };
import version2 from './scenarios-v2.json' with { type: 'json' };
import { scenariosOf } from '../../judge/scenario.ts';
import type { ClientScenario, ClientContext } from '../client-context.ts';
import { cancelScenarios } from './cancel.ts';
import { framingScenarios } from './framing.ts';
import { filesScenarios } from './host/files.ts';
import { permissionScenarios } from './host/permission.ts';
import { questionsScenarios } from './host/questions.ts';
import { terminalsScenarios } from './host/terminals.ts';
import { loginScenarios } from './login.ts';
import { misbehavingScenarios } from './misbehaving.ts';
import { httpClientScenarios } from './remote/http.ts';
import { webSocketClientScenarios } from './remote/websocket.ts';
import { type Sequence, sequencesOf } from './sequence.ts';
import { sessionsScenarios } from './sessions.ts';
import { shutdownScenarios } from './shutdown.ts';
import { v2Scenarios } from './v2.ts';

const entries = [...catalogue, ...version2] as unknown as readonly (Omit<ClientScenario, 'run'> | Sequence)[];

/** All scenarios for clients, in the order of a report. Entries without code are sequences. */
export const clientScenarios: readonly ClientScenario[] = scenariosOf<ClientContext, ClientScenario>(entries, {
  ...{ ...framingScenarios, ...loginScenarios, ...sessionsScenarios },
  ...{ ...cancelScenarios, ...shutdownScenarios, ...misbehavingScenarios },
  ...{ ...filesScenarios, ...terminalsScenarios, ...permissionScenarios, ...questionsScenarios },
  ...{ ...httpClientScenarios, ...webSocketClientScenarios, ...v2Scenarios, ...sequencesOf(entries) },
});
