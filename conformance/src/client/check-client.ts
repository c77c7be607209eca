import { requirements } from '../requirements/requirements.ts';
import type { Introduction, Judgement } from '../verdict/judgement.ts';
import type { ScenarioResult } from '../verdict/scenario-result.ts';
import { type Verdict, verdictOn } from '../verdict/verdict.ts';
import { asMessage } from '../wire/messages.ts';
import type { ClientScenario } from './client-scenario.ts';
import type { ClientCheckSettings } from './client-stage.ts';
import type { ClientSubject } from './drive/client-subject.ts';
import { runClientScenario } from './run-client-scenario.ts';
import { clientScenarios } from './scenarios/scenarios.ts';
import { unobservableInClients } from './unobservable/unobservable.ts';

/** What to put a client through, and how. */
export interface ClientCheckOptions extends Partial<ClientCheckSettings> {
  /** Which scenarios. Default: all. */
  readonly scenarios?: readonly ClientScenario[];
  /** How many run at a time. Default 4. */
  readonly jobs?: number;
  /** Hears of each scenario when it is over. */
  readonly onResult?: (result: ScenarioResult) => void;
  /** Ends everything that was started. The check rejects with its reason then. */
  readonly signal?: AbortSignal;
}

/** Judges a client by playing the agent to it. Each scenario has a fresh instance of it, in folders of its own; several run at a time. */
export async function checkClient(subject: ClientSubject, options: ClientCheckOptions = {}): Promise<Judgement> {
  const { scenarios = clientScenarios, jobs = 4, onResult, signal, ...chosen } = options;
  const settings: ClientCheckSettings = {
    patience: { start: 30_000, answer: 10_000, end: 20_000, leave: 8_000 },
    seed: Math.floor(Math.random() * 2 ** 31),
    ...chosen,
  };
  const began = performance.now();
  const results: ScenarioResult[] = [];
  const waiting = [...scenarios.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && signal?.aborted !== true; next = waiting.shift()) {
      const [place, scenario] = next;
      const result = await runClientScenario(subject, scenario, { ...settings, signal });
      results[place] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  signal?.throwIfAborted();
  return {
    subject: subject.name,
    kind: 'client',
    ...introduced(results),
    seed: settings.seed,
    duration: performance.now() - began,
    verdicts: clientVerdicts(results),
    results,
  };
}

/** What the client said it is in the first `initialize`. */
function introduced(results: readonly ScenarioResult[]): { readonly introduction?: Introduction } {
  for (const { message } of results.flatMap(({ journals }) => journals.flat())) {
    const { name, version } = asMessage(asMessage(asMessage(message)?.['params'])?.['clientInfo']) ?? {};
    if (typeof name === 'string') return { introduction: { name, ...(typeof version === 'string' && { version }) } };
  }
  return {};
}

function clientVerdicts(results: readonly ScenarioResult[]): readonly Verdict[] {
  return requirements
    .filter(({ binds }) => binds !== 'agent')
    .map((requirement) => verdictOn(requirement, results, unobservableInClients[requirement.id]));
}
