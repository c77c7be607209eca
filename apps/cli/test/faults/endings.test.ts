import { describe, expect, test } from 'vitest';
import { inTurns } from '../../../../packages/runtime/test/faults/in-turns.ts';
import { faultyFixture } from './faulty.ts';

const usual = ['SIGTERM', 'SIGKILL'] as const;
type Signal = (typeof usual)[number] | 'SIGINT' | 'SIGHUP';

interface Point {
  readonly what: string;
  readonly faults?: readonly string[];
  readonly prompt: string;
  /** What has been printed when it is reached. */
  readonly printed: string;
  /** Those to end it by. Default: one that asks and one that does not. */
  readonly signals?: readonly Signal[];
}

/** Points of a run. */
const points: readonly Point[] = [
  { what: 'initialize', faults: ['mute=initialize'], prompt: 'say x', printed: '"initialize"' },
  { what: 'session/new', faults: ['mute=session/new'], prompt: 'say x', printed: '"session/new"' },
  { what: 'a turn', prompt: 'hang', printed: 'at work' },
  { what: 'a command in a terminal', prompt: 'terminal', printed: 'running', signals: [...usual, 'SIGINT', 'SIGHUP'] },
  { what: 'a flood', prompt: 'stream', printed: 'session/update' },
];
const deaf: Point = { what: 'a deaf agent', prompt: 'deaf', printed: 'at work' };

describe('ending the command', () => {
  test('a signal at any point of a run leaves no process behind', async () => {
    const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGKILL: null };
    const cases = points.flatMap((point) => (point.signals ?? usual).map((signal) => ({ point, signal })));
    const seen = await inTurns(cases, async ({ point: { what, faults = [], prompt, printed }, signal }) => {
      const fixture = await faultyFixture(...faults);
      const run = fixture.start(['exec', '--approve-all', '--format', 'json', prompt]);
      await run.printed(printed);
      run.child.kill(signal);
      const { code, stderr } = await run.outcome();
      return { what, signal, code, stderr, left: await fixture.left() };
    });
    expect(seen).toEqual(
      cases.map(({ point, signal }) => ({ what: point.what, signal, code: codes[signal], stderr: '', left: [] })),
    );
  });

  test('a timeout at any point of a run leaves no process behind', async () => {
    const seen = await inTurns([deaf, ...points], async ({ what, faults = [], prompt }) => {
      const fixture = await faultyFixture(...faults);
      const { code } = await fixture.start(['exec', '--approve-all', '--timeout', '1', prompt]).outcome();
      return { what, code, left: await fixture.left() };
    });
    expect(seen).toEqual([deaf, ...points].map(({ what }) => ({ what, code: 3, left: [] })));
  });
});

describe('an agent that dies', () => {
  test('an agent that dies at any point of a turn is reported, its output stays, and no process is left', async () => {
    const cases = [0, 2, 5, 8, 12, 17].flatMap((count) => ['exit', 'kill'].map((way) => ({ count, way })));
    const seen = await inTurns(cases, async ({ count, way }) => {
      const fixture = await faultyFixture();
      const { code, stdout, stderr } = await fixture.run(['exec', '--approve-all', `rich ${count} ${way}`]);
      const said = stderr.includes(way === 'exit' ? 'exited with code 9' : 'was ended by SIGKILL');
      return { count, way, code, said, isKept: count < 2 || stdout.startsWith('I look.'), left: await fixture.left() };
    });
    expect(seen).toEqual(cases.map((each) => ({ ...each, code: 1, said: true, isKept: true, left: [] })));
  });

  test('a stored session whose agent dies at any point of a turn keeps its history, and the next prompt works', async () => {
    const seen = await Promise.all(
      [0, 4, 8, 13].map(async (count) => {
        const fixture = await faultyFixture();
        const run = (...words: readonly string[]): Promise<{ code: number | null; stdout: string }> =>
          fixture.run(words);
        await run('sessions', 'new', '--approve-all');
        const died = await run('prompt', '--approve-all', `rich ${count} kill`);
        const next = await run('prompt', 'say again');
        const history = await run('sessions', 'history');
        await run('sessions', 'close');
        const found = ['rich', 'say again', 'again'].filter((words) => history.stdout.includes(words));
        return { count, died: died.code, next: [next.code, next.stdout], found, left: await fixture.left() };
      }),
    );
    expect(seen).toEqual(
      seen.map(({ count }) => ({
        count,
        died: 1,
        next: [0, 'again\n'],
        found: ['rich', 'say again', 'again'],
        left: [],
      })),
    );
  });
});

describe('stored sessions of a command that ends', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'a stored session continues after %s ended its command',
    async (signal) => {
      const fixture = await faultyFixture();
      const run = (...words: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> =>
        fixture.run(words);
      await run('sessions', 'new');
      const prompt = fixture.start(['prompt', 'hang']);
      await prompt.printed('at work');
      prompt.child.kill(signal);
      await prompt.outcome();
      if (signal === 'SIGKILL') await run('cancel');
      const next = await run('prompt', 'say again');
      const history = await run('sessions', 'history');
      await run('sessions', 'close');
      expect({
        next,
        kept: ['hang', 'at work', 'say again'].filter((words) => history.stdout.includes(words)),
        left: await fixture.left(),
      }).toEqual({
        next: { code: 0, stdout: 'again\n', stderr: '' },
        kept: ['hang', 'at work', 'say again'],
        left: [],
      });
    },
  );
});
