import { nameOf } from '../report/name-of.ts';
import type { ReportOptions } from '../report/report-options.ts';
import { noCounts, type OutcomeCounts, summarise, type Summary } from '../report/summary.ts';
import type { CheckedVersion, Subject } from '../requirements/requirement.ts';
import { requirements, sourceCommit } from '../requirements/requirements.ts';
import type { Judgement } from '../verdict/verdict.ts';

/** A subject of a matrix. */
export interface MatrixEntry {
  /** The name in the matrix. */
  readonly name: string;
  readonly judgement: Judgement;
  /** The exact versions of what was checked, such as `their-agent@1.2.3`. */
  readonly packages?: readonly string[] | undefined;
  /** Returns the address of the trace of a scenario; undefined if there is none. */
  readonly traceOf?: ((scenario: string) => string | undefined) | undefined;
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

function traceIn(
  { verdicts, results }: Judgement,
  section: string,
  traceOf: MatrixEntry['traceOf'],
): string | undefined {
  const own = verdicts.filter(({ requirement }) => requirement.section === section);
  const violation = own.find(({ outcome }) => outcome === 'failed')?.findings[0]?.scenario;
  const ids = new Set<string>(own.map(({ requirement }) => requirement.id));
  const seen = results.find(({ observations }) =>
    observations.some(({ requirement, outcome }) => outcome === 'held' && ids.has(requirement)),
  );
  const scenario = violation ?? seen?.scenario;
  return scenario === undefined ? undefined : traceOf?.(scenario);
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
