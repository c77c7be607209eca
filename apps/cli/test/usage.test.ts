import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import type { UsageRow } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { type SessionFixture, sessionFixture } from './session-fixture.ts';

/** Writes the configuration of the user, or of the project. */
async function configure({ env, project }: SessionFixture, config: object, isProject = false): Promise<string> {
  const folder = isProject ? join(project, '.turnwire') : join(env['XDG_CONFIG_HOME'] ?? '', 'turnwire');
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'config.json');
  await writeFile(path, JSON.stringify(config));
  return path;
}

async function rowsBy({ bare }: SessionFixture, by: string): Promise<readonly UsageRow[]> {
  const { stdout } = await bare(['usage', '--by', by, '--format', 'json']);
  return (JSON.parse(stdout) as { readonly rows: readonly UsageRow[] }).rows;
}

test('turnwire usage adds up the turns of exec and of sessions, and prints a cost that no agent reported as unknown', async () => {
  const fixture = await sessionFixture();
  const { run, bare, agent, project } = fixture;
  expect(await bare(['usage'])).toEqual({ code: 0, stdout: '', stderr: 'turnwire: no turns are recorded yet\n' });
  await run(['exec', 'say one']);
  await run(['sessions', 'new']);
  await run(['say two']);
  await run(['--max-cost', '0.5', 'cost 0.75']);
  expect(await rowsBy(fixture, 'agent')).toMatchObject([
    { key: agent, turns: 3, costs: { USD: 0.75 }, turnsWithoutCost: 2, turnsWithoutTokens: 3 },
  ]);
  expect(await rowsBy(fixture, 'folder')).toMatchObject([{ key: project, turns: 3 }]);
  expect((await rowsBy(fixture, 'session')).map(({ turns }) => turns)).toEqual([2, 1]);
  const { stdout } = await bare(['usage', '--since', 'today']);
  expect(stdout.replace(/^[\d-]{10}/, 'DAY').replace(/[\d.]+ s/, 'TIME')).toBe(
    'DAY\t3\tTIME\tunknown\t0.75 USD + unknown (2 turns)\n',
  );
  expect(await bare(['usage', '--since', '2026-13-01'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give a day, such as 2026-04-01, today, or 7d for the last 7 days.') as unknown,
  });
});

test('a killed command has recorded the cost that its agent reported', async () => {
  const fixture = await sessionFixture();
  const child = fixture.start(['exec', 'cost 0.25']);
  const closed = once(child, 'close');
  await expect
    .poll(() => rowsBy(fixture, 'day'), { timeout: 60_000, interval: 200 })
    .toMatchObject([{ turns: 1, costs: { USD: 0.25 } }]);
  child.kill('SIGKILL');
  await closed;
  expect(await rowsBy(fixture, 'day')).toMatchObject([{ turns: 1, costs: { USD: 0.25 } }]);
});

test('all sessions of a user share the budget of a day, and a project can only lower it', async () => {
  const fixture = await sessionFixture();
  const { run } = fixture;
  await configure(fixture, { budgets: { day: { turns: 3 } } });
  await run(['exec', 'say one']);
  await run(['sessions', 'new']);
  expect(await run(['say two'])).toMatchObject({ code: 0, stdout: 'two\n' });
  await configure(fixture, { budgets: { day: { turns: 2, cost: 1 }, session: { turns: 9 } } }, true);
  const stopped = {
    code: 6,
    stdout: '',
    stderr: 'turnwire: stopped: the sessions of today have had 2 turns, which is the limit\n',
  };
  expect(await run(['exec', 'say three'])).toEqual(stopped);
  await configure(fixture, { budgets: { day: { turns: 100 } } }, true);
  expect(await run(['exec', 'say three'])).toMatchObject({ code: 0, stdout: 'three\n' });
  expect(await run(['exec', 'say four'])).toEqual({ ...stopped, stderr: stopped.stderr.replace('2 turns', '3 turns') });
});

test.each([
  [{ session: { cost: 'much' } }, '"budgets.session.cost" must be a number of at least 0'],
  [{ day: { euros: 1 } }, '"budgets.day" must be an object of limits: cost, tokens, minutes and turns'],
  [{ week: {} }, '"budgets" must be an object with session, day, currency and prices'],
  [{ prices: { large: { input: 1 } } }, '"budgets.prices.large.output" must be a number of at least 0'],
])('wrong budgets are refused with their place: %j', async (budgets, message) => {
  const fixture = await sessionFixture();
  await configure(fixture, { budgets });
  const { code, stderr } = await fixture.run(['exec', 'say one']);
  expect({ code, isSaid: stderr.includes(message), stderr }).toMatchObject({ code: 2, isSaid: true });
});

test('a project cannot set prices', async () => {
  const fixture = await sessionFixture();
  const path = await configure(fixture, { budgets: { prices: {} } }, true);
  expect((await fixture.run(['exec', 'say one'])).stderr).toContain(
    `${path}: "budgets" with a currency or prices is left out: a project's file may not set it.`,
  );
});
