import { runScenario } from '../judge/run-scenario.ts';
import type { ScenarioResult } from '../verdict/observation.ts';
import type { ClientHabits } from './client-habits.ts';
import { type ClientCheckSettings, type ClientScenario, ClientStage } from './client-stage.ts';
import type { ClientSubject } from './drive/client-subject.ts';

/** Runs one scenario against a client, in its own folders. Never rejects. */
export async function runClientScenario(
  subject: ClientSubject,
  scenario: ClientScenario,
  given: ClientCheckSettings & {
    readonly signal?: AbortSignal | undefined;
    readonly habits?: ClientHabits | undefined;
  },
): Promise<ScenarioResult> {
  const { signal, habits, ...settings } = given;
  const ended = new AbortController();
  const open = (sandbox: string): ClientStage => {
    const stage = new ClientStage(subject, { sandbox, settings, habits });
    signal?.addEventListener('abort', () => void stage.close(), { signal: ended.signal });
    return stage;
  };
  const folders = ['project', 'home', 'home/run', 'agent'];
  const result = await runScenario<ClientStage>(scenario, { judges: 'client', folders, open });
  ended.abort();
  return result;
}
