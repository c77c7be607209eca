import { alwaysJudged } from '../audit/audited.ts';
import { anySeed, judge, type RunOptions } from '../judge/judge.ts';
import { scenariosIn } from '../judge/scenario.ts';
import { repeatIfSole, soleScenarios } from '../judge/sole-scenarios.ts';
import { coversAny, type Profiled } from '../requirements/judged-requirements.ts';
import type { Judgement } from '../verdict/verdict.ts';
import type { ScenarioResult } from '../verdict/observation.ts';
import type { ClientBaseline } from './client-baseline.ts';
import type { ClientCheckSettings, ClientScenario } from './client-context.ts';
import type { ClientSubject } from './drive/client-subject.ts';
import { probeClient } from './probe-client.ts';
import { runClientScenario } from './run-client-scenario.ts';
import { clientScenarios } from './scenarios/scenarios.ts';

/** Options for judging a client. */
export interface ClientCheckOptions extends Partial<ClientCheckSettings>, RunOptions {
  /** Default: all. */
  readonly scenarios?: readonly ClientScenario[];
}

/**
 * Whether a scenario is for such a client. Scenarios of a remote transport need a client that reaches its agent over it; scenarios that
 * cover only proposals or dialects need a check with these profiles.
 */
export function isForClient(scenario: ClientScenario, { over }: ClientSubject, profiled: Profiled = {}): boolean {
  if (scenario.over !== undefined && scenario.over !== over) return false;
  return coversAny(scenario, { kind: 'client', isRemote: over !== undefined, ...profiled });
}

/**
 * How many times as long as its first turn a client may take for any task. On a quiet machine a flood of updates takes ten times as long
 * as a turn, and a client on a slow machine must not count as hanging.
 */
const floodsOfTurn = 15;
/** The upper bound for that time, in timeouts for the end. */
const mostOfEnd = 3;
/** The same for a scenario that is run again alone, since nothing else waits for it. */
const mostOfEndAlone = 6;

/**
 * Judges a client by simulating its agent. Each scenario starts a fresh instance in new folders; several scenarios run at a time. A
 * client that does not complete a turn with a flawless agent is not judged: `unreachable` has the reason.
 */
export async function checkClient(subject: ClientSubject, options: ClientCheckOptions = {}): Promise<Judgement> {
  const { scenarios = clientScenarios, jobs, onResult, signal, profiles, version = 1, ...chosen } = options;
  const sole = soleScenarios('client', scenariosIn(version, clientScenarios), alwaysJudged('client', version));
  const settings: ClientCheckSettings = {
    timeouts: { start: 30_000, answer: 10_000, end: 20_000, leave: 8_000 },
    seed: anySeed(),
    version,
    ...chosen,
  };
  let { timeouts } = settings;
  let baseline: ClientBaseline | undefined;
  const late = new Set<string>();
  const meet = async (most: number): ReturnType<typeof probeClient> => {
    const meeting = await probeClient(subject, { ...settings, signal });
    const { end } = settings.timeouts;
    timeouts = { ...timeouts, end: Math.max(end, Math.min(end * most, (meeting.took ?? 0) * floodsOfTurn)) };
    return meeting;
  };
  const runOnce = (scenario: ClientScenario): Promise<ScenarioResult> =>
    runClientScenario(subject, scenario, { ...settings, timeouts, signal, baseline });
  return judge(
    {
      subject: subject.name,
      kind: 'client',
      seed: settings.seed,
      scenarios: scenariosIn(version, scenarios).filter((scenario) =>
        isForClient(scenario, subject, { profiles, version }),
      ),
      isRemote: subject.over !== undefined,
      meet: async () => {
        const { baseline: seen, took: _took, ...meeting } = await meet(mostOfEnd);
        baseline = seen;
        return meeting;
      },
      run: async (scenario) => {
        const result = await repeatIfSole(scenario, { sole, run: runOnce });
        if (result.duration >= timeouts.end) late.add(scenario.id);
        return result;
      },
      // A scenario that used up its time may have been slowed down by others on the machine: measure again how long it needs now.
      runAlone: async (scenario) => {
        if (late.has(scenario.id)) await meet(mostOfEndAlone);
        return runOnce(scenario);
      },
    },
    { jobs, onResult, signal, profiles, version },
  );
}
