import type { ClientScenario } from '../../client-scenario.ts';
import { sequencesIn } from '../sequence.ts';
import { httpClientScenarios } from './http.ts';
import { brokenLineScenarios, webSocketClientScenarios } from './websocket.ts';

/** What only clients show that reach their agent by a URL. */
export const remoteScenarios: readonly ClientScenario[] = [
  ...httpClientScenarios,
  ...webSocketClientScenarios,
  ...brokenLineScenarios,
  ...sequencesIn('remote'),
];
