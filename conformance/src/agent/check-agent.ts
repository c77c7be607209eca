import { alwaysJudged } from '../audit/audited.ts';
import { anySeed, judge, type RunOptions } from '../judge/judge.ts';
import { scenariosIn } from '../judge/scenario.ts';
import { repeatIfSole, soleScenarios } from '../judge/sole-scenarios.ts';
import { profileOf } from '../remote/endpoint.ts';
import { coversAny, type Profiled } from '../requirements/judged-requirements.ts';
import type { Judgement } from '../verdict/verdict.ts';
import { type AgentCheckSettings, type AgentScenario, cancelTimeout, startTimeout } from './agent-context.ts';
import type { AgentSubject } from './agent-subject.ts';
import { MethodTimeouts } from '../wire/method-timeouts.ts';
import { guardedSubject } from './guarded-subject.ts';
import { probeAgent } from './probe-agent.ts';
import { runAgentScenario } from './run-agent-scenario.ts';
import { agentScenarios } from './scenarios/scenarios.ts';
import { defaultSteering } from './steering.ts';
import { TurnTimeout } from '../wire/turn-timeout.ts';

/** Options of a check. */
export interface AgentCheckOptions extends Partial<AgentCheckSettings>, RunOptions {
  /** Default: all. */
  readonly scenarios?: readonly AgentScenario[];
}

/**
 * Total milliseconds to wait for an agent of which nothing has arrived yet: no answer, no end of a turn, no session. It is longer for an
 * agent that works in its turns. Longer timeouts than the default ones lengthen it.
 */
const silence = 25_000;

const defaultTimeouts = { answer: 10_000, turn: 60_000 };

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
    timeouts: defaultTimeouts,
    seed: anySeed(),
    version,
    ...chosen,
  };
  const sole = soleScenarios('agent', scenariosIn(version, agentScenarios), alwaysJudged('agent', version));
  await using guarded = guardedSubject(subject, signal);
  const { answer, turn } = settings.timeouts;
  const silenceLimit = silence * Math.max(1, answer / defaultTimeouts.answer, turn / defaultTimeouts.turn);
  const turns = new TurnTimeout(turn, silenceLimit);
  const cancels = new TurnTimeout(cancelTimeout(settings.timeouts));
  const answers = new MethodTimeouts({ answer, start: startTimeout(settings.timeouts), total: silenceLimit });
  const runOnce = (scenario: AgentScenario, isAtOwnHome = false): ReturnType<typeof runAgentScenario> =>
    runAgentScenario(guarded, scenario, { ...settings, turns, cancels, answers, isAtOwnHome });
  return await judge(
    {
      subject: subject.name,
      kind: 'agent',
      seed: settings.seed,
      scenarios: scenariosIn(version, scenarios).filter((scenario) =>
        appliesTo(scenario, subject, { profiles, version }),
      ),
      isRemote: subject.endpoint !== undefined,
      meet: () => probeAgent(guarded, { version, timeout: silenceLimit }),
      run: (scenario) => repeatIfSole(scenario, { sole, run: (each) => runOnce(each) }),
      // A repeated scenario runs alone: slowness of a busy machine does not count.
      runAlone: (scenario) => runOnce(scenario, true),
    },
    { jobs, onResult, signal, profiles, version },
  );
}
