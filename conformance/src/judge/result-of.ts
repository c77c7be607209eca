import { auditJournal } from '../audit/audit-journal.ts';
import type { RequirementId, Subject } from '../requirements/requirement.ts';
import type { Observer } from '../verdict/observer.ts';
import type { ScenarioResult } from '../verdict/scenario-result.ts';
import type { JournalEntry } from '../wire/journal.ts';
import { withRequests } from './with-requests.ts';

/** A finished scenario. */
export interface Played {
  readonly scenario: { readonly id: string; readonly unaudited?: readonly RequirementId[] };
  readonly judges: Subject;
  readonly see: Observer;
  readonly journals: readonly (readonly JournalEntry[])[];
  readonly harnessError: string | undefined;
  /** When it began, as a value of `performance.now()`. */
  readonly began: number;
}

/** The result of a scenario: its observations, and those of the audit of its frames. */
export function resultOf({ scenario, judges, see, journals, harnessError, began }: Played): ScenarioResult {
  const { id, unaudited = [] } = scenario;
  const audited = journals
    .flatMap((journal) => auditJournal(journal, judges))
    .filter(({ requirement }) => !unaudited.includes(requirement));
  const observations = [...see.observations, ...audited].map((each) => ({
    ...each,
    evidence: withRequests(each.evidence, journals),
  }));
  return {
    scenario: id,
    observations,
    journals,
    duration: performance.now() - began,
    ...(harnessError !== undefined && { harnessError }),
  };
}
