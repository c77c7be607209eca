import { nameOf } from '../report/name-of.ts';
import type { ReportOptions } from '../report/report-options.ts';
import { noCounts, type OutcomeCounts, summarise, type Summary } from '../report/summary.ts';
import type { CheckedVersion, Subject } from '../requirements/requirement.ts';
import { requirements, sourceCommit } from '../requirements/requirements.ts';
import type { ScenarioResult } from '../verdict/observation.ts';
import type { Judgement, VerdictFinding } from '../verdict/verdict.ts';
import type { JournalEntry } from '../wire/messages.ts';

/** A subject of a matrix. */
export interface MatrixEntry {
  /** The name in the matrix. */
  readonly name: string;
  readonly judgement: Judgement;
  /** The exact versions of what was checked, such as `their-agent@1.2.3`. */
  readonly packages?: readonly string[] | undefined;
  /** Returns the address of the trace of a connection; undefined without a trace. */
  readonly traceOf?: ((connection: SeenConnection) => string | undefined) | undefined;
}

/** A connection of a scenario that shows a result. */
export interface SeenConnection {
  readonly scenario: string;
  /** Counted from 1. */
  readonly nth: number;
  /** Its frames. */
  readonly journal: readonly JournalEntry[];
  /** The frame that breaks the requirement, if it is in this connection. */
  readonly evidence?: JournalEntry | undefined;
}

/** A row of a matrix: one subject. */
export interface MatrixRow {
  readonly name: string;
  readonly kind: Subject;
  /** The name and version that the subject reports; undefined if it reports none, or the same as `name`. */
  readonly introduced: string | undefined;
  readonly conclusion: Summary['conclusion'];
  /** The conclusion in a few words. */
  readonly result: string;
  /** The counts per section of the protocol, in the order of `sections`; empty if the subject was not judged. */
  readonly counts: readonly OutcomeCounts[];
  /** For each of the counts the trace that shows them best: of a violation if there is one, otherwise of a scenario that observed something. */
  readonly traces: readonly (string | undefined)[];
  readonly packages: readonly string[];
  readonly protocol: CheckedVersion;
}

/** Subjects by sections of the protocol. */
export interface Matrix {
  readonly sections: readonly string[];
  readonly rows: readonly MatrixRow[];
}

/** Combines several judgements into a matrix. */
export function matrixOf(entries: readonly MatrixEntry[], { from }: Pick<ReportOptions, 'from'>): Matrix {
  const seen = new Set(
    entries.flatMap(({ judgement }) => judgement.verdicts.map(({ requirement }) => requirement.section)),
  );
  const sections = [...new Set(requirements.map(({ section }) => section))].filter((section) => seen.has(section));
  return { sections, rows: entries.map((entry) => rowOf(entry, sections, from)) };
}

function rowOf(
  { name, judgement, packages = [], traceOf }: MatrixEntry,
  head: readonly string[],
  from: ReportOptions['from'],
): MatrixRow {
  const { conclusion, broken, total, sections, sentence } = summarise(judgement, from);
  const counts = new Map(sections.map((each) => [each.section, each.counts]));
  const said = nameOf(judgement);
  return {
    name,
    kind: judgement.kind,
    introduced: judgement.introduction === undefined || said === name ? undefined : said,
    conclusion,
    result:
      conclusion === 'not judged'
        ? sentence.replace(/\.$/, '')
        : conclusion === 'conforming'
          ? `conforms: ${total.passed} kept`
          : `${broken.length} broken, ${total.passed} kept`,
    counts: judgement.unreachable === undefined ? head.map((section) => counts.get(section) ?? noCounts) : [],
    traces: head.map((section) => traceIn(judgement, section, traceOf)),
    packages,
    protocol: judgement.version,
  };
}

/** The trace of a section: of its first violation, otherwise the shortest one that showed something. */
function traceIn(judgement: Judgement, section: string, traceOf: MatrixEntry['traceOf']): string | undefined {
  const own = judgement.verdicts.filter(({ requirement }) => requirement.section === section);
  const violation = own.find(({ outcome }) => outcome === 'failed')?.findings[0];
  const shown = violation ? connectionOf(violation, judgement) : shortest(own, judgement);
  return shown && traceOf?.(shown);
}

/** The connection that shows a finding: the one with its last frame, otherwise the first of its scenario. */
export function connectionOf(
  { scenario, evidence }: VerdictFinding,
  { results }: Pick<Judgement, 'results'>,
): SeenConnection | undefined {
  const { journals = [] } = results.find((each) => each.scenario === scenario) ?? {};
  const last = evidence.at(-1);
  const found = journals.findIndex((journal) => last !== undefined && journal.includes(last));
  const index = Math.max(0, found);
  const journal = journals[index];
  return journal && { scenario, nth: index + 1, journal, ...(found >= 0 && { evidence: last }) };
}

function shortest(own: Judgement['verdicts'], { results }: Judgement): SeenConnection | undefined {
  const ids = new Set<string>(own.map(({ requirement }) => requirement.id));
  const isSeen = ({ observations, journals: [first = []] }: ScenarioResult): boolean =>
    first.length > 0 && observations.some(({ outcome, requirement }) => outcome === 'held' && ids.has(requirement));
  const [found] = results
    .filter(isSeen)
    .toSorted(({ journals: [one = []] }, { journals: [other = []] }) => one.length - other.length);
  return found && { scenario: found.scenario, nth: 1, journal: found.journals[0] ?? [] };
}

/** The text of a cell: requirements that passed, and after ✗ those that are broken; `·` if nothing was exercised. */
export function cellText({ passed, failed }: OutcomeCounts): string {
  if (passed + failed === 0) return '·';
  return failed === 0 ? String(passed) : `${passed} ✗${failed}`;
}

/** What the rows contain: agents, clients, or both. */
export function rowsOf({ rows }: Matrix): 'agent' | 'client' | 'agent or client' {
  const [first, ...others] = new Set(rows.map(({ kind }) => kind));
  return first === undefined || others.length > 0 ? 'agent or client' : first;
}

/** A sentence with the date of a matrix and the version of the protocol text. */
export function madeFrom(madeAt: Date): string {
  return `Checked on ${madeAt.toISOString().slice(0, 10)} against the text of the protocol at commit ${sourceCommit.slice(0, 12)}.`;
}

/** The explanation of the cells, for readers. */
export const legend =
  'Kept requirements of each part of the protocol; ✗ broken ones, of any level; · nothing was exercised.';
