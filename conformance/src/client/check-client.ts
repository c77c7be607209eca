import { alwaysJudged } from '../audit/audited.ts';
import { anySeed, judge, type RunOptions } from '../judge/judge.ts';
import { scenariosIn } from '../judge/scenario.ts';
import { repeatIfSole, soleScenarios } from '../judge/sole-scenarios.ts';
import { coversAny, type Profiled } from '../requirements/judged-requirements.ts';
import type { Judgement } from '../verdict/verdict.ts';
import type { ScenarioResult } from '../verdict/observation.ts';
import { MethodTimeouts } from '../wire/method-timeouts.ts';
import type { ClientBaseline } from './client-baseline.ts';
import type { ClientCheckSettings, ClientScenario } from './client-context.ts';
import type { ClientSubject } from './drive/client-subject.ts';
import { ClientPace } from './client-pace.ts';
import { probeClient } from './probe-client.ts';
import { runClientScenario } from './run-client-scenario.ts';
import { clientScenarios } from './scenarios/scenarios.ts';

type Timeouts = ClientCheckSettings['timeouts'];

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
  const pace = new ClientPace(settings.timeouts);
  const { answer } = settings.timeouts;
  const answers = new MethodTimeouts({ answer, start: answer });
  let baseline: ClientBaseline | undefined;
  const meet = async (): ReturnType<typeof probeClient> => {
    const meeting = await probeClient(subject, { ...settings, signal });
    pace.measured(meeting.took ?? 0);
    return meeting;
  };
  const runWithin = async (scenario: ClientScenario, timeouts: Timeouts): Promise<ScenarioResult> => {
    const result = await runClientScenario(subject, scenario, { ...settings, timeouts, answers, signal, baseline });
    pace.note(scenario.id, result.duration, timeouts.end);
    return result;
  };
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
        const { baseline: seen, took: _took, ...meeting } = await meet();
        baseline = seen;
        return meeting;
      },
      run: (scenario) => repeatIfSole(scenario, { sole, run: (each) => runWithin(each, pace.usual) }),
      // A scenario that used up its time may have been slowed down by others on the machine: measure again how long it needs now.
      runAlone: async (scenario) => {
        if (pace.isLate(scenario.id)) await meet();
        return runWithin(scenario, pace.alone);
      },
    },
    { jobs, onResult, signal, profiles, version },
  );
}
