import type { Level, RequirementId } from '../requirements/requirement.ts';
import { type Cause, causesOf } from '../verdict/causes.ts';
import type { Judgement, Verdict } from '../verdict/verdict.ts';
import { countsAgainst, levels, type Strictness } from './strictness.ts';

/** The outcomes of requirements, in the order of reports. */
export const outcomes: readonly Verdict['outcome'][] = ['failed', 'passed', 'not exercised', 'not observable'];

/** The number of requirements per outcome. */
export type OutcomeCounts = Readonly<Record<Verdict['outcome'], number>>;

/** The summary of a judgement. */
export interface Summary {
  readonly conclusion: 'conforming' | 'not conforming' | 'not judged';
  /** The conclusion as a sentence with a full stop. Contains text of the peer. */
  readonly sentence: string;
  readonly total: OutcomeCounts;
  /** Counts per level, the strongest first. */
  readonly levels: readonly { readonly level: Level; readonly counts: OutcomeCounts }[];
  /** Counts per section of the protocol, in order. */
  readonly sections: readonly { readonly section: string; readonly counts: OutcomeCounts }[];
  /** Broken requirements that count: the strongest level first, and within a level stated before implied ones. */
  readonly broken: readonly Verdict[];
  /** Broken requirements of a level that does not count. */
  readonly advice: readonly Verdict[];
  /** Causes of the broken requirements and of the advice; those that count come first. */
  readonly causes: readonly Cause[];
  /** For each verdict that another one explains: that other one. */
  readonly causeOf: ReadonlyMap<Verdict, Verdict>;
}

/** Summarises a judgement. A subject without violations conforms only if something was exercised. */
export function summarise(judgement: Judgement, from: Strictness): Summary {
  const { verdicts } = judgement;
  const failed = levels.flatMap((level) =>
    (['stated', 'implied'] as const).flatMap((wanted) =>
      ofLevel(verdicts, level).filter(
        ({ outcome, requirement }) => outcome === 'failed' && requirement.basis === wanted,
      ),
    ),
  );
  const broken = failed.filter(({ requirement }) => countsAgainst(requirement, from));
  const advice = failed.filter((verdict) => !broken.includes(verdict));
  const total = counted(verdicts);
  const causes = causesOf([...broken, ...advice], judgement.results);
  return {
    ...concluded(judgement, { broken, advice, total, causes }),
    total,
    levels: levels
      .map((level) => ({ level, counts: counted(ofLevel(verdicts, level)) }))
      .filter(({ counts }) => Object.values(counts).some((count) => count > 0)),
    sections: [...new Set(verdicts.map(({ requirement }) => requirement.section))].map((section) => ({
      section,
      counts: counted(verdicts.filter(({ requirement }) => requirement.section === section)),
    })),
    broken,
    advice,
    causes,
    causeOf: new Map(causes.flatMap(({ verdict, explains }) => explains.map((each) => [each, verdict] as const))),
  };
}

export const noCounts: OutcomeCounts = { passed: 0, failed: 0, 'not exercised': 0, 'not observable': 0 };

function counted(verdicts: readonly Verdict[]): OutcomeCounts {
  const counts = { ...noCounts };
  for (const { outcome } of verdicts) counts[outcome] += 1;
  return counts;
}

/** The maximum number of requirements that a conclusion names. */
const named = 40;

function listed(unseen: readonly RequirementId[]): string {
  if (unseen.length === 0) return '';
  const others = unseen.length > named ? ` and ${unseen.length - named} others` : '';
  return `; not seen: ${unseen.slice(0, named).join(' ')}${others}`;
}

function concluded(
  { unreachable, verdicts }: Judgement,
  { broken, advice, total, causes }: Pick<Summary, 'broken' | 'advice' | 'total' | 'causes'>,
): Pick<Summary, 'conclusion' | 'sentence'> {
  if (unreachable !== undefined) return { conclusion: 'not judged', sentence: `Not judged: ${unreachable}.` };
  if (broken.length > 0) {
    const count = causes.filter(({ verdict }) => broken.includes(verdict)).length;
    const why = count === broken.length ? '' : `, for ${count === 1 ? 'one cause' : `${count} causes`}`;
    return {
      conclusion: 'not conforming',
      sentence: `Does not conform: it breaks ${requirementCount(broken.length)}${why}.`,
    };
  }
  const advised = advice.length === 0 ? '' : ` There is advice on ${requirementCount(advice.length)}.`;
  if (total.passed === 0) {
    const what = total.failed === 0 ? 'nothing' : 'nothing that counts';
    return { conclusion: 'not judged', sentence: `Not judged: ${what} could be exercised.${advised}` };
  }
  const unseen = verdicts.filter(({ outcome }) => outcome === 'not exercised').map(({ requirement }) => requirement.id);
  const judged = total.passed + total.failed + unseen.length;
  const seen = unseen.length === 0 ? `all ${judged}` : `${total.passed + total.failed} of ${judged}`;
  return {
    conclusion: 'conforming',
    sentence: `Conforms, as far as it was tested: ${seen} requirements were seen${listed(unseen)}.${advised}`,
  };
}

function requirementCount(count: number): string {
  return count === 1 ? 'one requirement' : `${count} requirements`;
}

function ofLevel(verdicts: readonly Verdict[], level: Level): readonly Verdict[] {
  return verdicts.filter(({ requirement }) => requirement.level === level);
}
