import type { Case, Sample, Setup } from '../case.ts';
import { spawnAgent, stop } from './connection.ts';
import type { ProgramName } from './contender.ts';
import { UpdateReader } from './update-reader.ts';
import type { UpdateKind } from './updates.ts';

/** Updates of one turn: enough to make its round trip negligible, few enough to end in time. */
const perTurn: Readonly<Record<UpdateKind, number>> = {
  'small-update': 20_000,
  'tool-call': 5_000,
  'update-4k': 2_000,
  'diff-1m': 8,
};

export const streamCases: readonly Case[] = (['small-update', 'tool-call', 'update-4k', 'diff-1m'] as const).map(
  (kind) => ({
    name: kind,
    unit: kind === 'diff-1m' ? 'MB/s' : 'msg/s',
    higherIsBetter: true,
    aim: { ratio: 0.9 },
    measure: (setup) => measureUpdatesOf(kind, setup),
  }),
);

/** The rate of updates of one kind, from an agent in a child process. */
export async function measureUpdatesOf(kind: UpdateKind, { contender, seconds }: Setup<ProgramName>): Promise<Sample> {
  const reader = new UpdateReader(kind, perTurn[kind]);
  const { client, child } = await spawnAgent(contender, reader.onUpdate);
  await client.initialize();
  const sessionId = await client.newSession();
  const warm = await turnsFor(seconds / 2, () => reader.turn(client, sessionId));
  const clientBefore = process.cpuUsage();
  const run = await turnsFor(seconds, () => reader.turn(client, sessionId));
  const clientCpu = process.cpuUsage(clientBefore);
  await stop(child);
  const messages = run.turns * perTurn[kind];
  const perSecond = messages / run.seconds;
  return {
    // The texts of a diff are 1 MiB, without the rest of the message.
    figures: { [kind]: kind === 'diff-1m' ? (perSecond * 2 ** 20) / 1e6 : perSecond },
    cpu: { client: (clientCpu.user + clientCpu.system) / messages, agent: (run.agentCpu - warm.agentCpu) / messages },
  };
}

/** Runs turns until the time has passed; `agentCpu` is the agent's processor time after the last turn. */
export async function turnsFor(
  seconds: number,
  turn: () => Promise<number>,
): Promise<{ turns: number; seconds: number; agentCpu: number }> {
  const start = performance.now();
  for (let turns = 1; ; turns++) {
    const agentCpu = await turn();
    const elapsed = (performance.now() - start) / 1000;
    if (elapsed >= seconds) return { turns, seconds: elapsed, agentCpu };
  }
}
