import { requirements } from '../requirements/requirements.ts';
import type { Judgement } from '../verdict/judgement.ts';
import type { ScenarioResult } from '../verdict/scenario-result.ts';
import { type Verdict, verdictOn } from '../verdict/verdict.ts';
import type { ClientScenario } from './client-scenario.ts';
import type { ClientCheckSettings } from './client-stage.ts';
import type { ClientSubject } from './drive/client-subject.ts';
import { meetClient } from './meet-client.ts';
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

/**
 * Judges a client by playing the agent to it. Each scenario has a fresh instance of it, in folders of its own; several run at a time. A
 * client that does not get to a turn with an agent that does everything right is judged in nothing: `unreachable` says why.
 */
export async function checkClient(subject: ClientSubject, options: ClientCheckOptions = {}): Promise<Judgement> {
  const { scenarios = clientScenarios, jobs = 4, onResult, signal, ...chosen } = options;
  const settings: ClientCheckSettings = {
    patience: { start: 30_000, answer: 10_000, end: 20_000, leave: 8_000 },
    seed: Math.floor(Math.random() * 2 ** 31),
    ...chosen,
  };
  const began = performance.now();
  const meeting = await meetClient(subject, { ...settings, signal });
  signal?.throwIfAborted();
  const results =
    meeting.unreachable === undefined ? await runAll(subject, { scenarios, jobs, settings, onResult, signal }) : [];
  signal?.throwIfAborted();
  return {
    subject: subject.name,
    kind: 'client',
    ...meeting,
    seed: settings.seed,
    duration: performance.now() - began,
    verdicts: clientVerdicts(results),
    results,
  };
}

interface Run {
  readonly scenarios: readonly ClientScenario[];
  readonly jobs: number;
  readonly settings: ClientCheckSettings;
  readonly onResult: ((result: ScenarioResult) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The results, in the order of the scenarios. */
async function runAll(
  subject: ClientSubject,
  { scenarios, jobs, settings, onResult, signal }: Run,
): Promise<readonly ScenarioResult[]> {
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
  return results;
}

function clientVerdicts(results: readonly ScenarioResult[]): readonly Verdict[] {
  return requirements
    .filter(({ binds }) => binds !== 'agent')
    .map((requirement) => verdictOn(requirement, results, unobservableInClients[requirement.id]));
}
