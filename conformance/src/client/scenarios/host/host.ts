import type { ClientScenario } from '../../client-scenario.ts';
import { sequencesIn } from '../sequence.ts';
import { filesScenarios } from './files.ts';
import { permissionScenarios } from './permission.ts';
import { questionsScenarios } from './questions.ts';
import { settingsScenarios } from './settings.ts';
import { terminalsScenarios } from './terminals.ts';

/** Services of a client for its agent: files, terminals, permission, questions; and its handling of modes, options, plans and notices. */
export const hostScenarios: readonly ClientScenario[] = [
  ...filesScenarios,
  ...terminalsScenarios,
  ...permissionScenarios,
  ...questionsScenarios,
  ...settingsScenarios,
  ...sequencesIn('news'),
];
