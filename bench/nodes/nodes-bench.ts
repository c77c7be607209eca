import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresPrograms, ThrowAwayPostgres } from '../../packages/cluster/test/postgres/throw-away-postgres.ts';
import type { TrialFigure } from '../gateway/trial.ts';
import { compileBench } from '../run-suite.ts';
import { chaos } from './chaos.ts';
import { Cluster, type NodesTrial } from './cluster.ts';
import { foreign, three } from './costs.ts';
import { databaseDown, kills, stop } from './failures.ts';
import { takeover } from './takeover.ts';

/** All trials of nodes. */
export const nodesTrials: readonly NodesTrial[] = [foreign, three, takeover, stop, databaseDown, kills, chaos];

/** Runs trials, each with nodes in separate processes and a local PostgreSQL server. */
export async function measureNodes(
  trials: readonly NodesTrial[],
  { isQuick }: { readonly isQuick: boolean },
): Promise<readonly TrialFigure[]> {
  if (postgresPrograms === undefined)
    throw new Error('There is no PostgreSQL on this machine: apt-get install postgresql');
  compileBench();
  const folder = mkdtempSync(join(tmpdir(), 'turnwire-bench-nodes-'));
  const figures: TrialFigure[] = [];
  try {
    for (const trial of trials) {
      process.stderr.write(`${trial.name}\n`);
      await using server = await ThrowAwayPostgres.start({ fsync: 'on' });
      await using cluster = await Cluster.on(server, { ...trial.setting, folder });
      figures.push(...(await trial.run(cluster, { isQuick })));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}
