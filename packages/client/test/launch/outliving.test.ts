import { expect, test } from 'vitest';
import { firstLine, fromSources, gone, watchdogOf, stillAlive } from './launcher.ts';

/** Lets a launcher start processes and end in some way. Resolves with the processes before, and those still alive. */
async function leftOf(what: string, end: string, signal?: NodeJS.Signals): Promise<unknown> {
  const launcher = fromSources('launcher.ts', what, end);
  const pids = (await firstLine(launcher)) as readonly number[];
  const started = pids.length;
  const watchdogs = signal === undefined ? [] : await watchdogOf(launcher.pid ?? 0);
  if (signal !== undefined) process.kill(launcher.pid ?? 0, signal);
  await gone(launcher);
  return { started, watchdogs: watchdogs.length, left: await stillAlive([...pids, ...watchdogs]) };
}

test.concurrent.each(['agent', 'terminal'])(
  'no process outlives a launcher that is killed while an %s is open',
  async (what) => {
    expect(await leftOf(what, 'wait', 'SIGKILL')).toEqual({ started: 5, watchdogs: 1, left: [] });
  },
);

test.concurrent.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
  'no process outlives a launcher that %s ends',
  async (signal) => {
    expect(await leftOf('agent', 'wait', signal)).toEqual({ started: 5, watchdogs: 1, left: [] });
  },
);

test.concurrent.each(['agent', 'terminal'])(
  'no process outlives a launcher with an %s that exits, crashes or closes it',
  async (what) => {
    const ends = [await leftOf(what, 'exit'), await leftOf(what, 'crash'), await leftOf(what, 'close')];
    expect(ends).toEqual(Array.from({ length: 3 }, () => ({ started: 5, watchdogs: 0, left: [] })));
  },
);
