import { alwaysSeen } from '../audit/audited.ts';
import { anySeed, judge, type RunOptions } from '../judge/judge.ts';
import { lookedAtTwice, soleLooks } from '../judge/looked-at-twice.ts';
import { looksAtAny } from '../requirements/judged-requirements.ts';
import type { ExtraProfile } from '../requirements/requirement.ts';
import type { Judgement } from '../verdict/verdict.ts';
import type { ScenarioResult } from '../verdict/observation.ts';
import type { ClientHabits } from './client-habits.ts';
import type { ClientCheckSettings, ClientScenario } from './client-stage.ts';
import type { ClientSubject } from './drive/client-subject.ts';
import { meetClient } from './meet-client.ts';
import { runClientScenario } from './run-client-scenario.ts';
import { clientScenarios } from './scenarios/scenarios.ts';

/** What to put a client through, and how. */
export interface ClientCheckOptions extends Partial<ClientCheckSettings>, RunOptions {
  /** Default: all. */
  readonly scenarios?: readonly ClientScenario[];
}

/**
 * Whether a scenario is for such a client: those of a remote transport are for clients that reach their agent over it, and those that look at
 * nothing but proposals or dialects are for checks with these profiles.
 */
export function isForClient(
  scenario: ClientScenario,
  { over }: ClientSubject,
  profiles?: readonly ExtraProfile[],
): boolean {
  if (scenario.over !== undefined && scenario.over !== over) return false;
  return looksAtAny(scenario, { kind: 'client', isRemote: over !== undefined, profiles });
}

/**
 * How many times longer than its first turn a client may take for any task: on a quiet machine a flood of updates takes ten times as long, and where
 * everything is slow it is not hanging. But no longer than so many times what it is given anyway.
 */
const floodsOfTurn = 15;
const mostOfEnd = 3;
/** The same where it is run again alone, as nothing else then waits for it. */
const mostOfEndAlone = 6;

/** What one scenario alone looks at. */
const sole = soleLooks('client', clientScenarios, alwaysSeen.client);

/**
 * Judges a client by playing the agent to it. Each scenario has a fresh instance of it, in folders of its own; several run at a time. A
 * client that does not get to a turn with an agent that does everything right is judged in nothing: `unreachable` says why.
 */
export async function checkClient(subject: ClientSubject, options: ClientCheckOptions = {}): Promise<Judgement> {
  const { scenarios = clientScenarios, jobs, onResult, signal, profiles, ...chosen } = options;
  const settings: ClientCheckSettings = {
    patience: { start: 30_000, answer: 10_000, end: 20_000, leave: 8_000 },
    seed: anySeed(),
    ...chosen,
  };
  let { patience } = settings;
  let habits: ClientHabits | undefined;
  const late = new Set<string>();
  const meet = async (most: number): ReturnType<typeof meetClient> => {
    const meeting = await meetClient(subject, { ...settings, signal });
    const { end } = settings.patience;
    patience = { ...patience, end: Math.max(end, Math.min(end * most, (meeting.took ?? 0) * floodsOfTurn)) };
    return meeting;
  };
  const runOnce = (scenario: ClientScenario): Promise<ScenarioResult> =>
    runClientScenario(subject, scenario, { ...settings, patience, signal, habits });
  return judge(
    {
      subject: subject.name,
      kind: 'client',
      seed: settings.seed,
      scenarios: scenarios.filter((scenario) => isForClient(scenario, subject, profiles)),
      isRemote: subject.over !== undefined,
      meet: async () => {
        const { habits: seen, took: _took, ...meeting } = await meet(mostOfEnd);
        habits = seen;
        return meeting;
      },
      run: async (scenario) => {
        const result = await lookedAtTwice(scenario, { sole, run: runOnce });
        if (result.duration >= patience.end) late.add(scenario.id);
        return result;
      },
      // What took all its time may have been held up by others on the machine: how fast that is now decides how long it has.
      runAlone: async (scenario) => {
        if (late.has(scenario.id)) await meet(mostOfEndAlone);
        return runOnce(scenario);
      },
    },
    { jobs, onResult, signal, profiles },
  );
}
