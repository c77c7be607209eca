import { requirements } from '../requirements/requirements.ts';
import type { Judgement } from '../verdict/judgement.ts';
import type { ScenarioResult } from '../verdict/scenario-result.ts';
import { type Verdict, verdictOn } from '../verdict/verdict.ts';
import type { AgentScenario } from './agent-scenario.ts';
import type { AgentCheckSettings } from './agent-stage.ts';
import type { AgentSubject } from './agent-subject.ts';
import { guardedSubject } from './guarded-subject.ts';
import { meetAgent } from './meet-agent.ts';
import { runAgentScenario } from './run-agent-scenario.ts';
import { agentScenarios } from './scenarios/scenarios.ts';
import { defaultSteering } from './steering.ts';
import { unobservableInAgents } from './unobservable/unobservable.ts';

/** What to put an agent through, and how. */
export interface AgentCheckOptions extends Partial<AgentCheckSettings> {
  /** Which scenarios. Default: all. */
  readonly scenarios?: readonly AgentScenario[];
  /** How many run at a time. Default 4. */
  readonly jobs?: number;
  /** Hears of each scenario when it is over. */
  readonly onResult?: (result: ScenarioResult) => void;
  /** Ends everything that was started. The check rejects with its reason then. */
  readonly signal?: AbortSignal;
}

/** How long the first start of an agent may take at least, in milliseconds: it may be fetched first. */
const firstStart = 60_000;

/**
 * Judges an agent. Each scenario has fresh instances of it; several run at a time. An agent that cannot be started, or answers nothing, is
 * judged in nothing: `unreachable` says why.
 */
export async function checkAgent(subject: AgentSubject, options: AgentCheckOptions = {}): Promise<Judgement> {
  const { scenarios = agentScenarios, jobs = 4, onResult, signal, ...chosen } = options;
  const settings: AgentCheckSettings = {
    steering: defaultSteering,
    patience: { answer: 10_000, turn: 60_000 },
    seed: Math.floor(Math.random() * 2 ** 31),
    ...chosen,
  };
  const began = performance.now();
  await using guarded = guardedSubject(subject, signal);
  const meeting = await meetAgent(guarded, Math.max(settings.patience.answer, firstStart));
  signal?.throwIfAborted();
  const results =
    meeting.unreachable === undefined ? await runAll(guarded, { scenarios, jobs, settings, onResult, signal }) : [];
  signal?.throwIfAborted();
  return {
    subject: subject.name,
    kind: 'agent',
    ...meeting,
    seed: settings.seed,
    duration: performance.now() - began,
    verdicts: agentVerdicts(results),
    results,
  };
}

interface Run {
  readonly scenarios: readonly AgentScenario[];
  readonly jobs: number;
  readonly settings: AgentCheckSettings;
  readonly onResult: ((result: ScenarioResult) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The results, in the order of the scenarios. */
async function runAll(
  subject: AgentSubject,
  { scenarios, jobs, settings, onResult, signal }: Run,
): Promise<readonly ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  const waiting = [...scenarios.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && signal?.aborted !== true; next = waiting.shift()) {
      const [place, scenario] = next;
      const result = await runAgentScenario(subject, scenario, settings);
      results[place] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}

function agentVerdicts(results: readonly ScenarioResult[]): readonly Verdict[] {
  return requirements
    .filter(({ binds }) => binds !== 'client')
    .map((requirement) => verdictOn(requirement, results, unobservableInAgents[requirement.id]));
}
