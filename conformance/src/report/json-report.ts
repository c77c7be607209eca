import type { Judgement } from '../verdict/judgement.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { frameExcerpt } from './frame-excerpt.ts';
import type { ReportOptions } from './report-options.ts';
import { countsAgainst } from './strictness.ts';
import { summarise } from './summary.ts';
import { withoutSecrets } from './without-secrets.ts';

/** The version of the format: the value of `turnwireReport`. */
export const reportVersion = 1;

/**
 * A judgement as a value for `JSON.stringify`: what is concluded, a count for each level, every requirement with its outcome and what shows it,
 * every scenario with the time it took. Times are milliseconds. What looks like a secret is taken out; texts hold what the peer said.
 */
export function jsonReport(judged: Judgement, { from, madeAt, again }: ReportOptions): object {
  const judgement = withoutSecrets(judged);
  const { kind, subject, introduction, unreachable, lastWords, seed, duration, verdicts, results } = judgement;
  const { conclusion, sentence, total, levels } = summarise(judgement, from);
  return {
    turnwireReport: reportVersion,
    madeAt: madeAt.toISOString(),
    kind,
    subject,
    ...(introduction && { introduction }),
    conclusion,
    sentence,
    ...(unreachable !== undefined && { unreachable }),
    ...(lastWords !== undefined && { lastWords }),
    countsFrom: from,
    seed,
    ...(again !== undefined && { again }),
    duration: Math.round(duration),
    total,
    levels: levels.map(({ level, counts }) => ({ level, ...counts })),
    requirements: verdicts.map((verdict) => ({
      ...shown(verdict),
      ...(verdict.outcome === 'failed' && { counts: countsAgainst(verdict.requirement, from) }),
    })),
    scenarios: results.map(({ scenario, duration: took, journals, mishap }) => ({
      id: scenario,
      duration: Math.round(took),
      connections: journals.length,
      frames: journals.flat().length,
      ...(mishap !== undefined && { mishap }),
    })),
  };
}

function shown({ requirement, outcome, findings }: Verdict): object {
  return {
    ...requirement,
    outcome,
    findings: findings.map(({ scenario, message, evidence }) => ({
      ...(scenario !== '' && { scenario }),
      message,
      ...(evidence.length > 0 && { evidence: evidence.map(frameExcerpt) }),
    })),
  };
}
