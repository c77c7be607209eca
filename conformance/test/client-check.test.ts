import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkClient } from '../src/client/check-client.ts';
import { filledIn, plainDriver } from '../src/client/drive/client-driver.ts';
import type { ClientSubject } from '../src/client/drive/client-subject.ts';
import { commandClient } from '../src/client/drive/command-client.ts';
import { acpxDriver, turnwireDriver } from '../src/client/drive/drivers.ts';
import { type ClientScenario, howItEnded } from '../src/client/client-stage.ts';
import { faultOf } from '../src/client/scenarios/endings.ts';
import { clientScenarios } from '../src/client/scenarios/scenarios.ts';
import { mutantLine } from './mutants/mutant-line.ts';
import { builtInClient } from './peers/built-in-client.ts';

const plainClient = fileURLToPath(new URL('peers/plain-client.mjs', import.meta.url));
const plain = commandClient(plainDriver([process.execPath, plainClient, '{agent}', '{cwd}', '{prompt}']));

afterEach(() => void delete process.env['A_SECRET']);

const named = (...ids: readonly string[]): readonly ClientScenario[] =>
  clientScenarios.filter(({ id }) => ids.includes(id));

test('a client is judged by what it does', async () => {
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

test('a command with placeholders is a client that can send a prompt and nothing else', async () => {
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
      'R115 unseen a driver would have to say how the client does “list”',
      'R338 unseen a driver would have to say how the client does “list”',
    ]),
  });
});

test('a client that says why a turn failed need not show what was never said', async () => {
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
])('a client whose last words are %s has crashed', (stderr, code) => {
  const end = { how: 'by itself', exit: { code, signal: null }, stdout: '', stderr, pids: [] } as const;
  expect(faultOf(end)).toBe(`the client crashed: ${howItEnded(end)}`);
});

test('a client has a home of its own, and nothing of the user', async () => {
  process.env['A_SECRET'] = 'secret';
  let printed: readonly unknown[] = [];
  const scenario: ClientScenario = {
    id: 'test/home',
    title: 'a client says where it is at home',
    covers: ['R002'],
    run: async (stage) => {
      const { end } = await stage.perform('prompt');
      const home = JSON.parse(end.stdout.trim().split('\n').at(-1) ?? '') as readonly (string | null)[];
      printed = home.map((value) => value?.replace(stage.beside(), 'room') ?? null);
    },
  };
  const { results } = await checkClient(plain, { scenarios: [scenario] });
  expect({ printed, harnessError: results[0]?.harnessError }).toEqual({
    printed: ['room/home', 'room/home/state', null],
    harnessError: undefined,
  });
});

test('a client that does not get to a turn is judged in nothing, and it is said why', async () => {
  const none = commandClient(plainDriver([process.execPath, '-e', 'process.exit(4)', '{agent}', '{prompt}']));
  const missing = commandClient(plainDriver(['/no/such/client', '{agent}', '{prompt}']));
  const [first, second] = [await checkClient(none), await checkClient(missing)];
  expect([first, second].map(({ unreachable, results }) => [unreachable, results])).toEqual([
    ['the client did not start its agent', []],
    ['the client cannot be started: spawn /no/such/client ENOENT', []],
  ]);
});

/** The plain client with a habit: what is said of it, or why it is not judged. */
async function saidOf(habit: string, ...ids: readonly string[]): Promise<readonly string[]> {
  const words = [process.execPath, plainClient, '{agent}', '{cwd}', '{prompt}'];
  const subject = commandClient({ ...plainDriver(words), env: { HABIT: habit } });
  const { results, unreachable } = await checkClient(subject, {
    scenarios: named(...ids),
    patience: { start: 20_000, answer: 5_000, end: 3_000, leave: 2_000 },
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

describe('of a client that', () => {
  test('stays after its turn nothing is said, and why', async () => {
    expect(await saidOf('stays', 'shutdown/exit-at-new')).toEqual([
      'the client did its turn and continued until it was interrupted: it has to end by itself after the turn, for which a driver can have something typed',
    ]);
  });

  test('has a shell between it and its agent it is not said that it leaves the agent', async () => {
    const among = 'the agent continues, and between it and the client was something that may be gone';
    expect([
      await saidOf('', 'shutdown/input-first'),
      await saidOf('has a shell between', 'shutdown/input-first'),
    ]).toEqual([['shutdown/input-first R011 held'], [`shutdown/input-first R011 unseen ${among}`]]);
  });

  test('prints nothing it is not said that it tells nobody', async () => {
    expect(await saidOf('prints nothing', 'shutdown/exit-at-new', 'misbehaving/session-refused')).toEqual([
      'shutdown/exit-at-new R013 held',
      'shutdown/exit-at-new R338 unseen the client prints nothing, whatever happens: it is not visible whether users are informed',
      'misbehaving/session-refused R338 unseen the client prints nothing, whatever happens: it is not visible whether users are informed',
    ]);
  });

  test('always ends well, and says what it always says, it is said that nobody is told', async () => {
    const end = 'the failure was not reported: it ended by itself with exit code 0';
    expect(await saidOf('always ends well', 'shutdown/killed', 'misbehaving/session-refused')).toEqual([
      'shutdown/killed R013 held',
      `shutdown/killed R338 broken ${end}`,
      `misbehaving/session-refused R338 broken ${end}`,
    ]);
  });

  test('always ends with another exit code it is said that it continues where that is shown', async () => {
    expect(await saidOf('ends with 3', 'updates/no-message-ids', 'updates/another-session')).toEqual([
      'updates/no-message-ids R337 held',
      'updates/another-session R399 broken what was said in another session was shown',
    ]);
  });

  test('hangs before letters come in pieces it is said that it hangs, and nothing of letters', async () => {
    expect(await saidOf('turns deaf', 'misbehaving/split-letters')).toEqual([
      'misbehaving/split-letters R336 broken the client did not end until it was interrupted',
      'misbehaving/split-letters R001 unseen the precondition did not occur',
      'misbehaving/split-letters R337 unseen the precondition did not occur',
    ]);
  });

  test('does not read what its agent prints on stderr it is said that it waits for ever', async () => {
    expect(await saidOf('leaves stderr unread', 'framing/stderr')).toEqual([
      'framing/stderr R336 broken the client did not end until it was interrupted',
      'framing/stderr R337 unseen the precondition did not occur',
    ]);
  });
});

test('a turn is not cancelled by a client that cancels another', async () => {
  const subject: ClientSubject = {
    ...builtInClient('memory'),
    tampered: (line) =>
      mutantLine(line, () => ({
        says: (message) =>
          message['method'] === 'session/cancel' ? [{ ...message, params: { sessionId: 'another' } }] : [message],
      })),
  };
  const patience = { start: 5_000, answer: 2_000, end: 3_000, leave: 500 };
  const { results } = await checkClient(subject, { scenarios: named('cancel/turn'), patience });
  const seen = results.flatMap(({ observations }) => observations).filter(({ outcome }) => outcome === 'unseen');
  expect(seen.map(({ requirement, message }) => [requirement, message])).toEqual(
    ['R163'].map((id) => [id, 'the client did not cancel the turn with session/cancel']),
  );
});

test('a client that does not know options that are on or off gets none, and is not blamed for how it sets one', async () => {
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
  const patience = { start: 5_000, answer: 2_000, end: 3_000, leave: 500 };
  const { results } = await checkClient(subject, { scenarios: named('settings/boolean'), patience });
  const seen = results.flatMap(({ observations }) => observations).filter(({ requirement }) => requirement === 'R268');
  expect(seen.map(({ outcome, message }) => [outcome, message])).toEqual([
    ['unseen', 'the client does not offer session.configOptions.boolean'],
  ]);
});

test('of a client that cannot be judged it is said what was wrong in what it wrote', async () => {
  const subject: ClientSubject = {
    ...builtInClient('memory'),
    tampered: (line) => mutantLine(line, () => ({ says: (_message, text) => [`[${text}]`] })),
  };
  const patience = { start: 5_000, answer: 1_000, end: 1_000, leave: 500 };
  const { unreachable } = await checkClient(subject, { scenarios: named('framing/turn'), patience });
  expect(unreachable).toBe(
    'the client sent no prompt: it ended interrupted with exit code 130. In what it wrote this breaks R005: A line is a list: each message needs its own line',
  );
});

test('where the first turn of a client takes long, it has longer for everything, within bounds', async () => {
  const ends: number[] = [];
  const scenario: ClientScenario = {
    id: 'test/patience',
    covers: ['R336'],
    title: 'how long it has is looked at',
    run: ({ settings }) => Promise.resolve(void ends.push(settings.patience.end)),
  };
  // A turn takes 100 ms at least, since an agent waits so long before it answers.
  for (const end of [1_400, 600_000])
    await checkClient(builtInClient('memory'), {
      scenarios: [scenario],
      patience: { start: 60_000, answer: 5_000, end, leave: 500 },
    });
  const [slow = 0, usual] = ends;
  expect([slow >= 1_490 && slow <= 3 * 1_400, usual]).toEqual([true, 600_000]);
});

test.each([
  { what: 'took all its time', share: 1, most: 6 },
  { what: 'failed in no time', share: 0, most: 1 },
])(
  'where a machine became slow, what $what has up to $most times as long when it is run again alone',
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
      title: 'how long it has is looked at',
      run: ({ settings: { patience }, see }) => {
        ends.push(patience.end);
        isLater += share * patience.end;
        return Promise.resolve(see.broken('R337', 'it has not ended'));
      },
    };
    await checkClient(
      {
        ...client,
        can: (action) => client.can(action),
        start: async (order) => {
          const run = await client.start(order);
          // Every turn but the first takes two minutes.
          if (++starts > 1) isLater += 120_000;
          return run;
        },
      },
      { scenarios: [scenario], patience: { start: 60_000, answer: 5_000, end, leave: 500 } },
    ).finally(() => clock.mockRestore());
    expect(ends).toEqual([end, most * end]);
  },
);

test('a check that is interrupted ends what it started', async () => {
  const controller = new AbortController();
  const check = checkClient(builtInClient('memory'), {
    signal: controller.signal,
    onResult: () => controller.abort(new Error('enough')),
  });
  await expect(check).rejects.toThrow('enough');
});

test('placeholders are filled in where there is a value', () => {
  expect(filledIn(['{a}', 'x{b}{a}', '{"c":1}', '{unknown}'], { a: '1', b: '2' })).toEqual([
    '1',
    'x21',
    '{"c":1}',
    '{unknown}',
  ]);
});

test('drivers are plain data', () => {
  const drivers = [turnwireDriver(), acpxDriver()];
  expect(JSON.parse(JSON.stringify(drivers))).toEqual(drivers);
});
