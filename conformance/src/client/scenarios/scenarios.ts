import type { ClientScenario } from '../client-scenario.ts';
import { cancelScenarios } from './cancel.ts';
import { framingScenarios } from './framing.ts';
import { hostScenarios } from './host/host.ts';
import { initializeScenarios } from './initialize.ts';
import { loginScenarios } from './login.ts';
import { misbehavingScenarios } from './misbehaving.ts';
import { promptScenarios } from './prompt.ts';
import { remoteScenarios } from './remote/remote.ts';
import { sequencesIn } from './sequence.ts';
import { sessionsScenarios } from './sessions.ts';
import { shutdownScenarios } from './shutdown.ts';
import { updatesScenarios } from './updates.ts';

/** Everything a client is put through, in the order of a report. */
export const clientScenarios: readonly ClientScenario[] = [
  ...framingScenarios,
  ...[...initializeScenarios, ...sequencesIn('initialize')],
  ...[...loginScenarios, ...sequencesIn('login')],
  ...[...sessionsScenarios, ...sequencesIn('sessions')],
  ...promptScenarios,
  ...[...sequencesIn('updates'), ...updatesScenarios],
  ...cancelScenarios,
  ...shutdownScenarios,
  ...hostScenarios,
  ...[...sequencesIn('misbehaving'), ...misbehavingScenarios],
  ...remoteScenarios,
];
