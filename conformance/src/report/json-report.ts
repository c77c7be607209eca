import { sourceCommit } from '../requirements/requirements.ts';
import { fixOf } from '../requirements/fix-of.ts';
import { linkOf } from '../requirements/source-pages.ts';
import type { Judgement } from '../verdict/verdict.ts';
import { frameExcerpt } from './frame-excerpt.ts';
import type { ReportOptions } from './report-options.ts';
import { countsAgainst } from './strictness.ts';
import { summarise } from './summary.ts';
import { withoutSecrets } from './without-secrets.ts';

/** The version of the format: the value of `turnwireReport`. */
export const reportVersion = 1;

/**
 * A judgement as a value for `JSON.stringify`: the conclusion, counts per level, every requirement with its outcome and evidence, every
 * scenario with its duration. A requirement whose violations all belong to another one names that one as `sameCauseAs`. Times are in
 * milliseconds. Secrets are removed; texts contain output of the peer.
 */
export function jsonReport(judged: Judgement, { from, madeAt, again }: ReportOptions): object {
  const judgement = withoutSecrets(judged);
  const { kind, version, subject, introduction, unreachable, lastOutput, seed, duration, verdicts, results } =
    judgement;
  const { conclusion, sentence, total, levels, causeOf } = summarise(judgement, from);
  return {
    turnwireReport: reportVersion,
    protocolCommit: sourceCommit,
    madeAt: madeAt.toISOString(),
    kind,
    protocolVersion: version,
    subject,
    ...(introduction && { introduction }),
    conclusion,
    sentence,
    ...(unreachable !== undefined && { unreachable }),
    ...(lastOutput !== undefined && { lastOutput }),
    countsFrom: from,
    seed,
    ...(again !== undefined && { again }),
    duration: Math.round(duration),
    total,
    levels: levels.map(({ level, counts }) => ({ level, ...counts })),
    requirements: verdicts.map((verdict) => ({
      ...verdict.requirement,
      outcome: verdict.outcome,
      ...(verdict.outcome === 'failed' && { link: linkOf(verdict.requirement), fix: fixOf(verdict.requirement) }),
      findings: verdict.findings.map(({ scenario, message, evidence }) => ({
        ...(scenario !== '' && { scenario }),
        message,
        ...(evidence.length > 0 && { evidence: evidence.map(frameExcerpt) }),
      })),
      ...(verdict.outcome === 'failed' && { counts: countsAgainst(verdict.requirement, from) }),
      ...(causeOf.has(verdict) && { sameCauseAs: causeOf.get(verdict)?.requirement.id }),
    })),
    scenarios: results.map(({ scenario, duration: took, journals, harnessError }) => ({
      id: scenario,
      duration: Math.round(took),
      connections: journals.length,
      frames: journals.flat().length,
      ...(harnessError !== undefined && { harnessError }),
    })),
  };
}
