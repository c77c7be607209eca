import { alwaysSeen } from '../audit/audited.ts';
import { anySeed, judge, type RunOptions } from '../judge/judge.ts';
import { lookedAtTwice, soleLooks } from '../judge/looked-at-twice.ts';
import { profileOf } from '../remote/endpoint.ts';
import { looksAtAny } from '../requirements/judged-requirements.ts';
import type { ExtraProfile } from '../requirements/requirement.ts';
import type { Judgement } from '../verdict/verdict.ts';
import { type AgentCheckSettings, type AgentScenario, startPatience } from './agent-stage.ts';
import type { AgentSubject } from './agent-subject.ts';
import { guardedSubject } from './guarded-subject.ts';
import { meetAgent } from './meet-agent.ts';
import { runAgentScenario } from './run-agent-scenario.ts';
import { agentScenarios } from './scenarios/scenarios.ts';
import { defaultSteering } from './steering.ts';
import { TurnPatience } from './turn-patience.ts';

/** Options of a check. */
export interface AgentCheckOptions extends Partial<AgentCheckSettings>, RunOptions {
  /** Default: all. */
  readonly scenarios?: readonly AgentScenario[];
}

/**
 * How long to wait for turns to end, in milliseconds, with an agent whose turns never end; longer if a turn may take longer than
 * four fifths of it.
 */
const withoutAnyTurn = 75_000;

/** What one scenario alone looks at. */
const sole = soleLooks('agent', agentScenarios, alwaysSeen.agent);

/** Least time for the first start of an agent, in milliseconds: it may have to be downloaded. */
const firstStart = 120_000;

/**
 * Whether a scenario is for such a subject: those of a remote transport are for agents that are reached over it, and those that look at
 * nothing but proposals or dialects are for checks with these profiles.
 */
export function appliesTo(
  scenario: AgentScenario,
  { endpoint }: AgentSubject,
  profiles?: readonly ExtraProfile[],
): boolean {
  const { over, notOver } = scenario;
  const profile = endpoint && profileOf(endpoint);
  const isReachable = (over === undefined || over === profile) && (notOver === undefined || notOver !== profile);
  return isReachable && looksAtAny(scenario, { kind: 'agent', isRemote: endpoint !== undefined, profiles });
}

/**
 * Judges an agent. Each scenario has fresh instances of it; several run at a time. An agent that cannot be started, or answers nothing, is
 * not judged: `unreachable` has the reason.
 */
export async function checkAgent(subject: AgentSubject, options: AgentCheckOptions = {}): Promise<Judgement> {
  const { scenarios = agentScenarios, jobs, onResult, signal, profiles, ...chosen } = options;
  const settings: AgentCheckSettings = {
    steering: defaultSteering,
    patience: { answer: 10_000, turn: 60_000 },
    seed: anySeed(),
    ...chosen,
  };
  const { turn } = settings.patience;
  const turns = new TurnPatience(turn, Math.max(withoutAnyTurn, 1.25 * turn));
  const starts = new TurnPatience(startPatience(settings.patience));
  await using guarded = guardedSubject(subject, signal);
  return await judge(
    {
      subject: subject.name,
      kind: 'agent',
      seed: settings.seed,
      scenarios: scenarios.filter((scenario) => appliesTo(scenario, subject, profiles)),
      isRemote: subject.endpoint !== undefined,
      meet: () => meetAgent(guarded, Math.max(settings.patience.answer, firstStart)),
      run: (scenario) =>
        lookedAtTwice(scenario, {
          sole,
          run: (each) => runAgentScenario(guarded, each, { ...settings, turns, starts }),
        }),
      // What is run again alone has the whole time to begin its sessions.
      runAlone: (scenario) => runAgentScenario(guarded, scenario, { ...settings, turns, isAtOwnHome: true }),
    },
    { jobs, onResult, signal, profiles },
  );
}
