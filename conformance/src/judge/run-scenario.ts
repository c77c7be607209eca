import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditJournal } from '../audit/audit-journal.ts';
import type { Subject } from '../requirements/requirement.ts';
import type { Observer } from '../verdict/observer.ts';
import type { ScenarioResult } from '../verdict/observation.ts';
import type { JournalEntry } from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';
import type { Scenario } from './scenario.ts';
import { withRequests } from './with-requests.ts';

export interface Stage {
  readonly see: Observer;
  readonly journals: readonly (readonly JournalEntry[])[];
  close(): Promise<void>;
}

/** Where a scenario is run, and what its frames are judged as. */
export interface Staging<Context extends Stage> {
  readonly judges: Subject;
  /** Folders in a folder of its own: `project` is the one to work in. */
  readonly folders: readonly string[];
  /** Where that folder is made. Default: the temporary folder. */
  readonly within?: string | undefined;
  readonly open: (sandbox: string) => Context;
  /** What is done after the run, before everything is ended. */
  readonly after?: (stage: Context) => Promise<void>;
}

/** Runs one scenario in folders of its own, and audits what went over its connections. Never rejects. */
export async function runScenario<Context extends Stage>(
  scenario: Scenario<Context>,
  { judges, folders, within = tmpdir(), open, after }: Staging<Context>,
): Promise<ScenarioResult> {
  const began = performance.now();
  // Short, for the paths of sockets are.
  const sandbox = await realpath(await mkdtemp(join(within, 'turnwire-')));
  for (const name of folders) await mkdir(join(sandbox, name), { mode: 0o700 });
  const stage = open(sandbox);
  const { reason, harnessError } = await settle(stage.see, () => scenario.run(stage));
  await after?.(stage);
  await stage.close();
  await rm(sandbox, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return resultOf({ scenario, judges, see: stage.see, journals: stage.journals, reason, harnessError, began });
}

export interface Played extends Pick<Stage, 'see' | 'journals'> {
  readonly scenario: Pick<Scenario<Stage>, 'id' | 'covers' | 'unaudited'>;
  readonly judges: Subject;
  /** Why the scenario did not get to its end, if it did not. */
  readonly reason: string | undefined;
  readonly harnessError: string | undefined;
  /** When it began, as a value of `performance.now()`. */
  readonly began: number;
}

/** The result of a scenario: its observations, and those of the audit of its frames. */
export function resultOf({ scenario, judges, see, journals, reason, harnessError, began }: Played): ScenarioResult {
  const { id, covers, unaudited = [] } = scenario;
  const audited = journals
    .flatMap((journal) => auditJournal(journal, judges))
    .filter(({ requirement }) => !unaudited.includes(requirement));
  // A scenario that was run to its end may leave it to the audit to judge what it brought about.
  const judgedByAudit = new Set(reason === undefined ? audited.map(({ requirement }) => requirement) : []);
  for (const requirement of covers)
    if (!see.knows(requirement) && !judgedByAudit.has(requirement))
      see.unseen(requirement, reason ?? 'the precondition did not occur');
  const observations = [...see.observations, ...audited].map((each) => ({
    ...each,
    evidence: withRequests(each.evidence, journals),
  }));
  const duration = performance.now() - began;
  return { scenario: id, observations, journals, duration, ...(harnessError !== undefined && { harnessError }) };
}

/** Runs a scenario to its end, however it ends. */
async function settle(see: Observer, run: () => Promise<void>): Promise<Pick<Played, 'reason' | 'harnessError'>> {
  let reason: string | undefined;
  let harnessError: string | undefined;
  try {
    await run();
  } catch (error) {
    const isStopped = error instanceof Stopped;
    reason = isStopped ? error.message : 'the scenario itself failed';
    if (isStopped && error.requirement !== undefined) see.broken(error.requirement, error.message, error.evidence);
    if (!isStopped) harnessError = String(error instanceof Error ? error.stack : error);
  }
  return { reason, harnessError };
}
