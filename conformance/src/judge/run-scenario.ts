import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditJournal } from '../audit/audit-journal.ts';
import type { CheckedVersion, Subject } from '../requirements/requirement.ts';
import type { Observer } from '../verdict/observer.ts';
import type { ScenarioResult } from '../verdict/observation.ts';
import type { JournalEntry } from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';
import type { Scenario } from './scenario.ts';
import { withRequests } from './with-requests.ts';

export interface ScenarioContext {
  readonly see: Observer;
  readonly journals: readonly (readonly JournalEntry[])[];
  close(): Promise<void>;
}

/** How to run a scenario. */
export interface ScenarioSetup<Context extends ScenarioContext> {
  readonly judges: Subject;
  /** The version of the protocol. Default 1. */
  readonly version?: CheckedVersion | undefined;
  /** Folders to create in the sandbox; `project` is the working folder. */
  readonly folders: readonly string[];
  /** The parent folder of the sandbox. Default: the temporary folder. */
  readonly within?: string | undefined;
  readonly open: (sandbox: string) => Context;
  /** Called after the run, before everything is closed. */
  readonly after?: (context: Context) => Promise<void>;
}

/** Runs one scenario in a new sandbox and audits the frames of its connections. Never rejects. */
export async function runScenario<Context extends ScenarioContext>(
  scenario: Scenario<Context>,
  { judges, version, folders, within = tmpdir(), open, after }: ScenarioSetup<Context>,
): Promise<ScenarioResult> {
  const began = performance.now();
  // A short prefix, because the length of socket paths is limited.
  const sandbox = await realpath(await mkdtemp(join(within, 'turnwire-')));
  for (const name of folders) await mkdir(join(sandbox, name), { mode: 0o700 });
  const context = open(sandbox);
  const { reason, harnessError } = await runToEnd(context.see, () => scenario.run(context));
  await after?.(context);
  await context.close();
  await rm(sandbox, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return resultOf({
    scenario,
    judges,
    version,
    see: context.see,
    journals: context.journals,
    reason,
    harnessError,
    began,
  });
}

export interface FinishedScenario extends Pick<ScenarioContext, 'see' | 'journals'> {
  readonly scenario: Pick<Scenario<ScenarioContext>, 'id' | 'covers' | 'unaudited'>;
  readonly judges: Subject;
  readonly version?: CheckedVersion | undefined;
  /** Why the scenario did not complete; undefined if it did. */
  readonly reason: string | undefined;
  readonly harnessError: string | undefined;
  /** The start, as a value of `performance.now()`. */
  readonly began: number;
}

/** The result of a scenario: its own observations, and those of the audit. */
export function resultOf({
  scenario,
  judges,
  version,
  see,
  journals,
  reason,
  harnessError,
  began,
}: FinishedScenario): ScenarioResult {
  const { id, covers, unaudited = [] } = scenario;
  const audited = journals
    .flatMap((journal) => auditJournal(journal, judges, { version }))
    .filter(({ requirement }) => !unaudited.includes(requirement));
  // A scenario that completed may leave it to the audit to judge what it provoked.
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

/** Runs a scenario and returns why it did not complete, if so. */
async function runToEnd(
  see: Observer,
  run: () => Promise<void>,
): Promise<Pick<FinishedScenario, 'reason' | 'harnessError'>> {
  let reason: string | undefined;
  let harnessError: string | undefined;
  try {
    await run();
  } catch (error) {
    const isStopped = error instanceof Stopped;
    reason = isStopped ? error.message : 'the scenario failed because of a mistake in the kit';
    if (isStopped && error.requirement !== undefined) see.broken(error.requirement, error.message, error.evidence);
    if (!isStopped) harnessError = String(error instanceof Error ? error.stack : error);
  }
  return { reason, harnessError };
}
