import { anySeed, judge, type RunOptions } from '../judge/judge.ts';
import type { Judgement } from '../verdict/judgement.ts';
import type { ClientHabits } from './client-habits.ts';
import type { ClientScenario } from './client-scenario.ts';
import type { ClientCheckSettings } from './client-stage.ts';
import type { ClientSubject } from './drive/client-subject.ts';
import { meetClient } from './meet-client.ts';
import { runClientScenario } from './run-client-scenario.ts';
import { clientScenarios } from './scenarios/scenarios.ts';
import { unobservableInClients } from './unobservable/unobservable.ts';

/** What to put a client through, and how. */
export interface ClientCheckOptions extends Partial<ClientCheckSettings>, RunOptions {
  /** Default: all. */
  readonly scenarios?: readonly ClientScenario[];
}

/** Whether a scenario is for such a client: those of a remote transport are for clients that reach their agent over it. */
export function isForClient({ over }: ClientScenario, subject: ClientSubject): boolean {
  return over === undefined || over === subject.over;
}

/**
 * Judges a client by playing the agent to it. Each scenario has a fresh instance of it, in folders of its own; several run at a time. A
 * client that does not get to a turn with an agent that does everything right is judged in nothing: `unreachable` says why.
 */
export async function checkClient(subject: ClientSubject, options: ClientCheckOptions = {}): Promise<Judgement> {
  const { scenarios = clientScenarios, jobs, onResult, signal, ...chosen } = options;
  const settings: ClientCheckSettings = {
    patience: { start: 30_000, answer: 10_000, end: 20_000, leave: 8_000 },
    seed: anySeed(),
    ...chosen,
  };
  let habits: ClientHabits | undefined;
  return judge(
    {
      subject: subject.name,
      kind: 'client',
      seed: settings.seed,
      scenarios: scenarios.filter((scenario) => isForClient(scenario, subject)),
      isRemote: subject.over !== undefined,
      unobservable: unobservableInClients,
      meet: async () => {
        const { habits: seen, ...meeting } = await meetClient(subject, { ...settings, signal });
        habits = seen;
        return meeting;
      },
      run: (scenario) => runClientScenario(subject, scenario, { ...settings, signal, habits }),
    },
    { jobs, onResult, signal },
  );
}
