import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultOf } from '../judge/result-of.ts';
import { settle } from '../judge/settle.ts';
import type { ScenarioResult } from '../verdict/scenario-result.ts';
import type { ClientHabits } from './client-habits.ts';
import type { ClientScenario } from './client-scenario.ts';
import { type ClientCheckSettings, ClientStage } from './client-stage.ts';
import type { ClientSubject } from './drive/client-subject.ts';

/** How a scenario is run. */
export interface ClientRunSettings extends ClientCheckSettings {
  readonly signal?: AbortSignal | undefined;
  /** Default: those of most clients. */
  readonly habits?: ClientHabits | undefined;
}

/** Runs one scenario against a client, in its own folders. Never rejects. */
export async function runClientScenario(
  subject: ClientSubject,
  scenario: ClientScenario,
  { signal, habits, ...settings }: ClientRunSettings,
): Promise<ScenarioResult> {
  const began = performance.now();
  // Short, for the paths of sockets are.
  const sandbox = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-')));
  for (const name of ['project', 'home', 'home/run', 'agent']) await mkdir(join(sandbox, name), { mode: 0o700 });
  const stage = new ClientStage(subject, { sandbox, settings, habits });
  const onAbort = (): void => void stage.close();
  signal?.addEventListener('abort', onAbort);
  const harnessError = await settle(scenario, stage.see, () => scenario.run(stage));
  await stage.close();
  signal?.removeEventListener('abort', onAbort);
  await rm(sandbox, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return resultOf({ scenario, judges: 'client', see: stage.see, journals: stage.journals, harnessError, began });
}
