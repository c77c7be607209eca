import { alwaysJudged } from '../audit/audited.ts';
import { anySeed, judge, type RunOptions } from '../judge/judge.ts';
import { scenariosIn } from '../judge/scenario.ts';
import { repeatIfSole, soleScenarios } from '../judge/sole-scenarios.ts';
import { profileOf } from '../remote/endpoint.ts';
import { coversAny, type Profiled } from '../requirements/judged-requirements.ts';
import type { Judgement } from '../verdict/verdict.ts';
import { type AgentCheckSettings, type AgentScenario, startTimeout } from './agent-context.ts';
import type { AgentSubject } from './agent-subject.ts';
import { guardedSubject } from './guarded-subject.ts';
import { probeAgent } from './probe-agent.ts';
import { runAgentScenario } from './run-agent-scenario.ts';
import { agentScenarios } from './scenarios/scenarios.ts';
import { defaultSteering } from './steering.ts';
import { TurnTimeout } from './turn-timeout.ts';

/** Options of a check. */
export interface AgentCheckOptions extends Partial<AgentCheckSettings>, RunOptions {
  /** Default: all. */
  readonly scenarios?: readonly AgentScenario[];
}

/** Total milliseconds to wait for turns of an agent whose turns never end. The limit is 1.25 turn timeouts if that is longer. */
const withoutAnyTurn = 75_000;

/** Minimum time for the first start of an agent, in milliseconds: it may have to be downloaded. */
const firstStart = 120_000;

/**
 * Whether a scenario is for such a subject. Scenarios of a remote transport need an agent reached over that transport; scenarios that
 * cover only proposals or dialects need a check with these profiles.
 */
export function appliesTo(scenario: AgentScenario, { endpoint }: AgentSubject, profiled: Profiled = {}): boolean {
  const { over, notOver } = scenario;
  const profile = endpoint && profileOf(endpoint);
  const isReachable = (over === undefined || over === profile) && (notOver === undefined || notOver !== profile);
  return isReachable && coversAny(scenario, { kind: 'agent', isRemote: endpoint !== undefined, ...profiled });
}

/**
 * Judges an agent. Each scenario starts fresh instances; several scenarios run at a time. An agent that cannot be started, or answers
 * nothing, is not judged: `unreachable` has the reason.
 */
export async function checkAgent(subject: AgentSubject, options: AgentCheckOptions = {}): Promise<Judgement> {
  const { scenarios = agentScenarios, jobs, onResult, signal, profiles, version = 1, ...chosen } = options;
  const settings: AgentCheckSettings = {
    steering: defaultSteering,
    timeouts: { answer: 10_000, turn: 60_000 },
    seed: anySeed(),
    version,
    ...chosen,
  };
  const { turn } = settings.timeouts;
  const turns = new TurnTimeout(turn, Math.max(withoutAnyTurn, 1.25 * turn));
  const starts = new TurnTimeout(startTimeout(settings.timeouts));
  const sole = soleScenarios('agent', scenariosIn(version, agentScenarios), alwaysJudged('agent', version));
  await using guarded = guardedSubject(subject, signal);
  return await judge(
    {
      subject: subject.name,
      kind: 'agent',
      seed: settings.seed,
      scenarios: scenariosIn(version, scenarios).filter((scenario) =>
        appliesTo(scenario, subject, { profiles, version }),
      ),
      isRemote: subject.endpoint !== undefined,
      meet: () => probeAgent(guarded, { version, timeout: Math.max(settings.timeouts.answer, firstStart) }),
      run: (scenario) =>
        repeatIfSole(scenario, {
          sole,
          run: (each) => runAgentScenario(guarded, each, { ...settings, turns, starts }),
        }),
      // A repeated scenario runs alone and gets the full timeout to start its sessions.
      runAlone: (scenario) => runAgentScenario(guarded, scenario, { ...settings, turns, isAtOwnHome: true }),
    },
    { jobs, onResult, signal, profiles, version },
  );
}
