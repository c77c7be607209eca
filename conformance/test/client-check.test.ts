import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { within } from '../../tools/pace.ts';
import { checkClient } from '../src/client/check-client.ts';
import { filledIn, plainDriver } from '../src/client/drive/client-driver.ts';
import type { ClientSubject } from '../src/client/drive/client-subject.ts';
import { commandClient } from '../src/client/drive/command-client.ts';
import { acpxDriver, turnwireDriver } from '../src/client/drive/drivers.ts';
import { type ClientScenario, howItEnded } from '../src/client/client-context.ts';
import { faultOf } from '../src/client/scenarios/endings.ts';
import { clientScenarios } from '../src/client/scenarios/scenarios.ts';
import { mutantLine } from './mutants/mutant-line.ts';
import { builtInClient } from './peers/built-in-client.ts';

const plainClient = fileURLToPath(new URL('peers/plain-client.mjs', import.meta.url));
const plain = commandClient(plainDriver([process.execPath, plainClient, '{agent}', '{cwd}', '{prompt}']));

afterEach(() => void delete process.env['A_SECRET']);

const named = (...ids: readonly string[]): readonly ClientScenario[] =>
  clientScenarios.filter(({ id }) => ids.includes(id));

test('a client is judged by its frames and its process', async () => {
  const judgement = await checkClient(builtInClient('process'), {
    seed: 7,
    scenarios: named('framing/turn', 'initialize/first'),
  });
  const outcomeOf = (id: string): unknown =>
    judgement.verdicts.find(({ requirement }) => requirement.id === id)?.outcome;
  expect({
    kind: judgement.kind,
    introduction: judgement.introduction,
    ran: judgement.results.map(({ scenario }) => scenario),
    outcomes: ['R002', 'R003', 'R030', 'R011', 'R015'].map(outcomeOf),
  }).toEqual({
    kind: 'client',
    introduction: { name: '@turnwire/client', version: '0.1.0' },
    ran: ['framing/turn', 'initialize/first'],
    outcomes: ['passed', 'passed', 'passed', 'not exercised', 'not observable'],
  });
});

test('a client with a plain driver can send a prompt and nothing else', async () => {
  const judgement = await checkClient(plain, { scenarios: named('framing/letters', 'sessions/cannot-list') });
  const found = judgement.results.flatMap(({ observations }) =>
    observations
      .filter(({ requirement, outcome }) => requirement === 'R001' || outcome === 'unseen')
      .map(({ requirement, outcome, message }) => [requirement, outcome, message]),
  );
  expect({ introduction: judgement.introduction, found: new Set(found.map((each) => each.join(' '))) }).toEqual({
    introduction: { name: 'plain-client', version: '2.0.0' },
    found: new Set([
      'R001 held ',
      'R115 unseen the driver of this client has no steps for “list”',
      'R338 unseen the driver of this client has no steps for “list”',
    ]),
  });
});

test('a client that reports a failed turn is not blamed for text that was never sent', async () => {
  const { results } = await checkClient(plain, { scenarios: named('misbehaving/turn-fails') });
  const seen = results.flatMap(({ observations }) =>
    observations.filter(({ requirement }) => requirement === 'R338').map(({ outcome, message }) => [outcome, message]),
  );
  expect(seen).toEqual([['held', '']]);
});

test.each([
  ["thread 'main' panicked at src/main.rs:4:5", 101],
  ['Exception in thread "main" java.lang.NullPointerException', 1],
  ['Traceback (most recent call last):', 1],
  ['Node.js v20.20.2', 1],
])('a client that exits with the output %s has crashed', (stderr, code) => {
  const end = { how: 'by itself', exit: { code, signal: null }, stdout: '', stderr, pids: [] } as const;
  expect(faultOf(end)).toBe(`the client crashed: ${howItEnded(end)}`);
});

test('a client gets a new home folder and no environment variables of the user', async () => {
  process.env['A_SECRET'] = 'secret';
  let printed: readonly unknown[] = [];
  const scenario: ClientScenario = {
    id: 'test/home',
    title: 'a client prints its home folder',
    covers: ['R002'],
    run: async (context) => {
      const { end } = await context.perform('prompt');
      const home = JSON.parse(end.stdout.trim().split('\n').at(-1) ?? '') as readonly (string | null)[];
      printed = home.map((value) => value?.replace(context.sibling(), 'sandbox') ?? null);
    },
  };
  const { results } = await checkClient(plain, { scenarios: [scenario] });
  expect({ printed, harnessError: results[0]?.harnessError }).toEqual({
    printed: ['sandbox/home', 'sandbox/home/state', null],
    harnessError: undefined,
  });
});

test('a client that does not reach a turn is not judged, with the reason', async () => {
  const none = commandClient(plainDriver([process.execPath, '-e', 'process.exit(4)', '{agent}', '{prompt}']));
  const missing = commandClient(plainDriver(['/no/such/client', '{agent}', '{prompt}']));
  const [first, second] = [await checkClient(none), await checkClient(missing)];
  expect([first, second].map(({ unreachable, results }) => [unreachable, results])).toEqual([
    ['the client did not start its agent', []],
    ['the client cannot be started: spawn /no/such/client ENOENT', []],
  ]);
});

/** Checks the plain client with a deviation, and returns its observations, or the reason why it is not judged. */
async function observationsOf(deviation: string, ...ids: readonly string[]): Promise<readonly string[]> {
  const argv = [process.execPath, plainClient, '{agent}', '{cwd}', '{prompt}'];
  const subject = commandClient({ ...plainDriver(argv), env: { DEVIATION: deviation } });
  const { results, unreachable } = await checkClient(subject, {
    scenarios: named(...ids),
    // The check gives a slow client up to three times as much for its end.
    timeouts: { start: within(20_000), answer: within(5_000), end: 5_000, leave: 3_000 },
  });
  const covered = clientScenarios.filter(({ id }) => ids.includes(id)).flatMap(({ covers }) => covers);
  const said = results.flatMap(({ scenario, observations }) =>
    observations
      .filter(({ requirement }) => [...covered, 'R336', 'R338'].includes(requirement))
      .filter(({ requirement, outcome }) => requirement !== 'R336' || outcome !== 'held')
      .map(({ requirement, outcome, message }) => [scenario, requirement, outcome, message].join(' ').trim()),
  );
  return unreachable === undefined ? said : [unreachable];
}

describe('a client that', () => {
  test('does not exit after its turn is not judged, with the reason', async () => {
    expect(await observationsOf('stays', 'shutdown/exit-at-new')).toEqual([
      'the client completed its turn but ran until it was interrupted. It must exit by itself after the turn; if it needs input for that, let the driver type it',
    ]);
  });

  test('has a shell between itself and its agent is not blamed for leaving the agent running', async () => {
    const among = 'the agent still runs, but a process between it and the client may have ended';
    expect([
      await observationsOf('', 'shutdown/input-first'),
      await observationsOf('has a shell between', 'shutdown/input-first'),
    ]).toEqual([['shutdown/input-first R011 held'], [`shutdown/input-first R011 unseen ${among}`]]);
  });

  test('never prints anything is not blamed for unreported failures', async () => {
    expect(await observationsOf('prints nothing', 'shutdown/exit-at-new', 'misbehaving/session-refused')).toEqual([
      'shutdown/exit-at-new R013 held',
      'shutdown/exit-at-new R338 unseen the client never prints anything, so it cannot be observed whether users are informed',
      'misbehaving/session-refused R338 unseen the client never prints anything, so it cannot be observed whether users are informed',
    ]);
  });

  test('exits with code 0 and prints the same after a failure is blamed for not reporting it', async () => {
    const end = 'the failure was not reported: it ended by itself with exit code 0';
    expect(await observationsOf('always exits with 0', 'shutdown/killed', 'misbehaving/session-refused')).toEqual([
      'shutdown/killed R013 held',
      `shutdown/killed R338 broken ${end}`,
      `misbehaving/session-refused R338 broken ${end}`,
    ]);
  });

  test('always exits with a nonzero code continues normally if it shows later updates', async () => {
    expect(await observationsOf('exits with 3', 'updates/no-message-ids', 'updates/another-session')).toEqual([
      'updates/no-message-ids R337 held',
      'updates/another-session R399 broken a message of another session was shown',
    ]);
  });

  test('hangs before characters arrive in pieces is blamed only for hanging', async () => {
    expect(await observationsOf('stops reading', 'misbehaving/split-letters')).toEqual([
      'misbehaving/split-letters R336 broken the client did not exit until it was interrupted',
      'misbehaving/split-letters R001 unseen the precondition did not occur',
      'misbehaving/split-letters R337 unseen the precondition did not occur',
    ]);
  });

  test('does not read the stderr of its agent is blamed for hanging', async () => {
    expect(await observationsOf('leaves stderr unread', 'framing/stderr')).toEqual([
      'framing/stderr R336 broken the client did not exit until it was interrupted',
      'framing/stderr R337 unseen the precondition did not occur',
    ]);
  });
});

test('session/cancel with another session id does not count as cancelling the turn', async () => {
  const subject: ClientSubject = {
    ...builtInClient('memory'),
    tampered: (line) =>
      mutantLine(line, () => ({
        says: (message) =>
          message['method'] === 'session/cancel' ? [{ ...message, params: { sessionId: 'another' } }] : [message],
      })),
  };
  const timeouts = { start: 5_000, answer: 2_000, end: 3_000, leave: 500 };
  const { results } = await checkClient(subject, { scenarios: named('cancel/turn'), timeouts });
  const seen = results.flatMap(({ observations }) => observations).filter(({ outcome }) => outcome === 'unseen');
  expect(seen.map(({ requirement, message }) => [requirement, message])).toEqual(
    ['R163'].map((id) => [id, 'the client did not cancel the turn with session/cancel']),
  );
});

test('a client without boolean options is sent none and is not blamed for how it sets them', async () => {
  const subject: ClientSubject = {
    ...builtInClient('memory'),
    tampered: (line) =>
      mutantLine(line, () => ({
        says: (message) => {
          const { clientCapabilities, type: _, ...params } = (message['params'] ?? {}) as Record<string, unknown>;
          return [
            { ...message, params: clientCapabilities === undefined ? params : { ...params, clientCapabilities: {} } },
          ];
        },
      })),
  };
  const timeouts = { start: 5_000, answer: 2_000, end: 3_000, leave: 500 };
  const { results } = await checkClient(subject, { scenarios: named('settings/boolean'), timeouts });
  const seen = results.flatMap(({ observations }) => observations).filter(({ requirement }) => requirement === 'R268');
  expect(seen.map(({ outcome, message }) => [outcome, message])).toEqual([
    ['unseen', 'the client does not offer session.configOptions.boolean'],
  ]);
});

test('the reason why a client cannot be judged includes the first fault in what it sent', async () => {
  const subject: ClientSubject = {
    ...builtInClient('memory'),
    tampered: (line) => mutantLine(line, () => ({ says: (_message, text) => [`[${text}]`] })),
  };
  const timeouts = { start: 5_000, answer: 1_000, end: 1_000, leave: 500 };
  const { unreachable } = await checkClient(subject, { scenarios: named('framing/turn'), timeouts });
  expect(unreachable).toBe(
    'the client did not send a prompt: it ended interrupted with exit code 130. The likely reason: the client breaks R005: A line contains a batch: each message needs its own line',
  );
});

test('a client whose first turn is slow gets longer timeouts, within bounds', async () => {
  const ends: number[] = [];
  const scenario: ClientScenario = {
    id: 'test/timeout',
    covers: ['R336'],
    title: 'the timeout is recorded',
    run: ({ settings }) => Promise.resolve(void ends.push(settings.timeouts.end)),
  };
  // A turn takes at least 100 ms, because the simulated agent waits so long before it answers.
  for (const end of [1_400, 600_000])
    await checkClient(builtInClient('memory'), {
      scenarios: [scenario],
      timeouts: { start: 60_000, answer: 5_000, end, leave: 500 },
    });
  const [slow = 0, usual] = ends;
  expect([slow >= 1_490 && slow <= 3 * 1_400, (usual ?? 0) >= 8_000 && (usual ?? 0) < 600_000]).toEqual([true, true]);
});

test.each([
  { what: 'used up its timeout', share: 1, most: 6 },
  { what: 'failed at once', share: 0, most: 1 },
])(
  'on a machine that became slow, a scenario that $what gets up to $most times its timeout when it is run again alone',
  async ({ share, most }) => {
    const end = 60_000;
    const real = performance.now.bind(performance);
    let isLater = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + isLater);
    const client = builtInClient('memory');
    let starts = 0;
    const ends: number[] = [];
    const scenario: ClientScenario = {
      id: 'test/late',
      covers: ['R337'],
      title: 'the timeout is recorded',
      run: ({ settings: { timeouts }, see }) => {
        ends.push(timeouts.end);
        isLater += share * timeouts.end;
        return Promise.resolve(see.broken('R337', 'it has not ended'));
      },
    };
    await checkClient(
      {
        ...client,
        can: (action) => client.can(action),
        start: async (order) => {
          const run = await client.start(order);
          // Every turn except the first takes two minutes.
          if (++starts > 1) isLater += 120_000;
          return run;
        },
      },
      { scenarios: [scenario], timeouts: { start: 60_000, answer: 5_000, end, leave: 500 } },
    ).finally(() => clock.mockRestore());
    const [amongOthers = 0, alone] = ends;
    expect([amongOthers >= 8_000 && amongOthers <= end, alone]).toEqual([true, most * end]);
  },
);

test('an aborted check ends what it started', async () => {
  const controller = new AbortController();
  const check = checkClient(builtInClient('memory'), {
    signal: controller.signal,
    onResult: () => controller.abort(new Error('enough')),
  });
  await expect(check).rejects.toThrow('enough');
});

test('placeholders with a value are filled in, others stay', () => {
  expect(filledIn(['{a}', 'x{b}{a}', '{"c":1}', '{unknown}'], { a: '1', b: '2' })).toEqual([
    '1',
    'x21',
    '{"c":1}',
    '{unknown}',
  ]);
});

test('drivers are plain data that survives JSON', () => {
  const drivers = [turnwireDriver(), acpxDriver()];
  expect(JSON.parse(JSON.stringify(drivers))).toEqual(drivers);
});
