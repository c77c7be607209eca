import { requirements } from '../requirements/requirements.ts';
import type { ScenarioResult } from '../verdict/scenario-result.ts';
import { type Verdict, verdictOn } from '../verdict/verdict.ts';
import type { AgentScenario } from './agent-scenario.ts';
import type { AgentCheckSettings } from './agent-stage.ts';
import type { AgentSubject } from './agent-subject.ts';
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
}

/** What was found out about a subject. */
export interface Judgement {
  readonly subject: string;
  readonly kind: 'agent' | 'client';
  readonly seed: number;
  /** In milliseconds. */
  readonly duration: number;
  /** One for each requirement that binds the subject, in order. */
  readonly verdicts: readonly Verdict[];
  readonly results: readonly ScenarioResult[];
}

/** Judges an agent. Each scenario has fresh instances of it; several run at a time. */
export async function checkAgent(subject: AgentSubject, options: AgentCheckOptions = {}): Promise<Judgement> {
  const { scenarios = agentScenarios, jobs = 4, onResult, ...chosen } = options;
  const settings: AgentCheckSettings = {
    steering: defaultSteering,
    patience: { answer: 10_000, turn: 60_000 },
    seed: Math.floor(Math.random() * 2 ** 31),
    ...chosen,
  };
  const began = performance.now();
  const results: ScenarioResult[] = [];
  const waiting = [...scenarios.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, scenario] = next;
      const result = await runAgentScenario(subject, scenario, settings);
      results[place] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return {
    subject: subject.name,
    kind: 'agent',
    seed: settings.seed,
    duration: performance.now() - began,
    verdicts: requirements
      .filter(({ binds }) => binds !== 'client')
      .map((requirement) => verdictOn(requirement, results, unobservableInAgents[requirement.id])),
    results,
  };
}
