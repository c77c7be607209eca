import { runScenario } from '../judge/run-scenario.ts';
import type { ScenarioResult } from '../verdict/observation.ts';
import type { ClientBaseline } from './client-baseline.ts';
import { type ClientCheckSettings, type ClientScenario, ClientContext } from './client-context.ts';
import type { ClientSubject } from './drive/client-subject.ts';

/** Runs one scenario against a client, in new folders. Never rejects. */
export async function runClientScenario(
  subject: ClientSubject,
  scenario: ClientScenario,
  options: ClientCheckSettings & {
    readonly signal?: AbortSignal | undefined;
    readonly baseline?: ClientBaseline | undefined;
  },
): Promise<ScenarioResult> {
  const { signal, baseline, ...settings } = options;
  const ended = new AbortController();
  const open = (sandbox: string): ClientContext => {
    const context = new ClientContext(subject, { sandbox, settings, baseline });
    signal?.addEventListener('abort', () => void context.close(), { signal: ended.signal });
    return context;
  };
  const folders = ['project', 'home', 'home/run', 'agent'];
  const result = await runScenario<ClientContext>(scenario, {
    judges: 'client',
    version: settings.version,
    folders,
    open,
  });
  ended.abort();
  return result;
}
