import { withoutSecrets } from '../report/without-secrets.ts';
import { type Strictness } from '../report/strictness.ts';
import { summarise, type OutcomeCounts, type Summary } from '../report/summary.ts';
import type { CheckedVersion, Level, RequirementId, Subject } from '../requirements/requirement.ts';
import { sourceCommit } from '../requirements/requirements.ts';
import { connectionOf, type MatrixEntry, matrixOf } from './matrix.ts';

/** A row of a matrix in the form that is kept for later readers: one subject in one version of the protocol. */
export interface KeptRow {
  readonly name: string;
  readonly kind: Subject;
  readonly protocol: CheckedVersion;
  /** The exact versions of the checked programs. */
  readonly packages: readonly string[];
  /** The name and version that the subject reports. */
  readonly introduced?: string | undefined;
  /** The day of the check: ISO 8601. */
  readonly day: string;
  /** The commit of the text of the protocol. */
  readonly text: string;
  readonly conclusion: Summary['conclusion'];
  /** Why it could not be judged. */
  readonly unreachable?: string | undefined;
  /** How many requirements were kept, and how many were not seen. */
  readonly counts: { readonly passed: number; readonly unseen: number };
  /** The results by part of the protocol; empty if the subject was not judged. */
  readonly cells: readonly KeptCell[];
  readonly broken: readonly KeptViolation[];
}

/** The result for one part of the protocol. */
export interface KeptCell {
  readonly section: string;
  readonly passed: number;
  readonly failed: number;
  readonly unseen: number;
  /** The address of its trace, from the page. */
  readonly trace?: string | undefined;
}

/** A broken requirement. */
export interface KeptViolation {
  readonly id: RequirementId;
  readonly level: Level;
  readonly behaviour: string;
  /** The observations, each once. */
  readonly messages: readonly string[];
  /** The address of the trace of the first one, from the page. */
  readonly trace?: string | undefined;
  /** The requirement whose violations explain this one. */
  readonly sameCauseAs?: RequirementId | undefined;
}

/** How many different observations of one violation are kept. */
const keptMessages = 4;

/** Extracts from a judgement what is kept of it. */
export function keptRow(
  entry: MatrixEntry,
  { from, madeAt }: { readonly from: Strictness; readonly madeAt: Date },
): KeptRow {
  const judgement = withoutSecrets(entry.judgement);
  const { kind, version, introduction, unreachable, verdicts } = judgement;
  const { conclusion, causeOf, total } = summarise(judgement, from);
  const matrix = matrixOf([{ ...entry, judgement }], { from });
  const [{ counts, traces } = { counts: [], traces: [] }] = matrix.rows;
  return {
    name: entry.name,
    kind,
    protocol: version,
    packages: entry.packages ?? [],
    introduced: introduction && [introduction.name, introduction.version].filter(Boolean).join(' '),
    day: madeAt.toISOString().slice(0, 10),
    text: sourceCommit,
    conclusion,
    unreachable,
    counts: { passed: total.passed, unseen: total['not exercised'] },
    cells: counts.map((each, nth) => cellOf(matrix.sections[nth] ?? '', each, traces[nth])),
    broken: verdicts
      .filter(({ outcome }) => outcome === 'failed')
      .map((verdict) => {
        const { id, level, behaviour } = verdict.requirement;
        const [first] = verdict.findings;
        const connection = first && connectionOf(first, judgement);
        return {
          id,
          level,
          behaviour,
          messages: [...new Set(verdict.findings.map(({ message }) => lasting(message)))].slice(0, keptMessages),
          trace: connection && entry.traceOf?.(connection),
          sameCauseAs: causeOf.get(verdict)?.requirement.id,
        };
      }),
  };
}

function cellOf(section: string, { passed, failed, 'not exercised': unseen }: OutcomeCounts, trace?: string): KeptCell {
  return { section, passed, failed, unseen, trace };
}

/** A text without the names of temporary folders, which change with each run. */
export function lasting(text: string): string {
  return text.replaceAll(/[^"\s\\]{0,200}\/turnwire-\w{6}(?=\/)/g, '…');
}

/** Replaces rows of the same name and version, keeps all others, and appends new ones. */
export function mergedRows(known: readonly KeptRow[], added: readonly KeptRow[]): readonly KeptRow[] {
  const keyOf = ({ name, protocol }: KeptRow): string => `${name} ${String(protocol)}`;
  return [...new Map([...known, ...added].map((row) => [keyOf(row), row])).values()];
}
