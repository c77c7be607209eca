import { expect, test } from 'vitest';
import { judge } from '../src/judge/judge.ts';
import { repeatIfSole } from '../src/judge/sole-scenarios.ts';
import { resultOf } from '../src/judge/run-scenario.ts';
import type { Observation, ScenarioResult } from '../src/verdict/observation.ts';
import { Observer } from '../src/verdict/observer.ts';
import { Journal } from '../src/wire/journal.ts';

test('evidence shows the request before its answer', () => {
  const journal = new Journal();
  const first = journal.add('client', '{"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}');
  journal.add('agent', '{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{}}');
  const update = journal.add('agent', '{"jsonrpc":"2.0","method":"session/update","params":{}}');
  const answer = journal.add('agent', '{"jsonrpc":"2.0","id":1,"result":{"sessions":[]}}');
  const second = journal.add('client', '{"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}');
  const again = journal.add('agent', '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}');
  const see = new Observer();
  see.broken('R116', 'one', [update, answer, again]);
  see.broken('R116', 'two', [second, again]);
  see.broken('R116', 'three', []);
  const { observations } = resultOf({
    scenario: { id: 'list/some', covers: ['R116'] },
    judges: 'agent',
    see,
    journals: [[], journal.entries],
    reason: undefined,
    harnessError: undefined,
    began: 0,
  });
  const seen = observations.flatMap(({ requirement, evidence }) => (requirement === 'R116' ? [evidence] : []));
  expect(seen.slice(0, 3)).toEqual([[update, first, answer, second, again], [second, again], []]);
});

/** Judges two scenarios for R034; each run has the next of the given outcomes. */
async function judged(
  outcomes: Readonly<Record<'one' | 'two', readonly Observation['outcome'][]>>,
  alone: readonly Observation['outcome'][] = [],
) {
  const left = { one: [...outcomes.one], two: [...outcomes.two], alone: [...alone] };
  const running: string[] = [];
  const runs: string[] = [];
  const run = async (scenario: 'one' | 'two', outcomesOf: keyof typeof left): Promise<ScenarioResult> => {
    const name = outcomesOf === 'alone' ? `${scenario} alone` : scenario;
    running.push(name);
    await new Promise(setImmediate);
    runs.push(running.join('+'));
    running.splice(running.indexOf(name), 1);
    const outcome = left[outcomesOf].shift() ?? 'unseen';
    const message = `${outcome} by ${name}`;
    const observations = [{ requirement: 'R034', outcome, message, evidence: [] }] as const;
    return { scenario, observations, journals: [], duration: 1 };
  };
  const { verdicts } = await judge<'one' | 'two'>(
    {
      subject: 'example',
      kind: 'agent',
      seed: 1,
      scenarios: ['one', 'two'],
      meet: () => Promise.resolve({}),
      run: (scenario) => run(scenario, scenario),
      ...(alone.length > 0 && { runAlone: (scenario) => run(scenario, 'alone') }),
    },
    {},
  );
  const verdict = verdicts.find(({ requirement }) => requirement.id === 'R034');
  return { runs, outcome: verdict?.outcome, messages: verdict?.findings.map(({ message }) => message) };
}

test('a violation counts if it occurs again in a run alone, which is repeated once per requirement', async () => {
  expect(await judged({ one: ['broken', 'broken'], two: ['broken'] })).toEqual({
    runs: ['one+two', 'two', 'one'],
    outcome: 'failed',
    messages: ['broken by one', 'broken by two'],
  });
});

test('a violation that does not occur again does not count but is reported', async () => {
  const once = 'broken by two: only once, not when the scenario was run again alone';
  expect([
    await judged({ one: ['unseen'], two: ['broken', 'held'] }),
    await judged({ one: ['unseen'], two: ['broken', 'unseen'] }),
    await judged({ one: ['unseen'], two: ['broken', 'broken'] }, ['held']),
  ]).toEqual([
    { runs: ['one+two', 'two', 'two'], outcome: 'passed', messages: [once] },
    { runs: ['one+two', 'two', 'two', 'two'], outcome: 'not exercised', messages: [once, 'unseen by one'] },
    { runs: ['one+two', 'two', 'two alone'], outcome: 'passed', messages: [once] },
  ]);
});

test('a requirement that the run alone does not observe is checked again with the usual home folder', async () => {
  expect(await judged({ one: ['held'], two: ['broken', 'broken'] }, ['unseen'])).toEqual({
    runs: ['one+two', 'two', 'two alone', 'two'],
    outcome: 'failed',
    messages: ['broken by two'],
  });
});

test('a scenario that alone observes a MUST runs twice if the MUST held', async () => {
  const sole = new Map([['R034', 'a/sole']] as const);
  const outcomes: Observation['outcome'][] = ['held', 'broken', 'held'];
  const run = ({ id }: { readonly id: string }): Promise<ScenarioResult> => {
    const observation = {
      requirement: 'R034',
      outcome: outcomes.shift() ?? 'unseen',
      message: '',
      evidence: [],
    } as const;
    return Promise.resolve({ scenario: id, observations: [observation], journals: [[]], duration: 1 });
  };
  const of = async (id: string): Promise<readonly string[]> => {
    const { observations } = await repeatIfSole({ id, covers: ['R034'] }, { sole, run });
    return observations.map(({ outcome }) => outcome);
  };
  expect([await of('a/sole'), await of('a/other')]).toEqual([['held', 'broken'], ['held']]);
});
