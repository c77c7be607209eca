import { redactText } from '@turnwire/protocol';
import type { Judgement } from '../verdict/judgement.ts';

/**
 * A judgement whose sentences may be shown to others: what a peer printed or said of itself can hold a key. Frames are treated where they are shown, by
 * {@link frameExcerpt}.
 */
export function withoutSecrets(judgement: Judgement): Judgement {
  const { subject, unreachable, lastWords, verdicts, results } = judgement;
  return {
    ...judgement,
    subject: clean(subject),
    ...(unreachable !== undefined && { unreachable: clean(unreachable) }),
    ...(lastWords !== undefined && { lastWords: clean(lastWords) }),
    verdicts: verdicts.map((verdict) => ({
      ...verdict,
      findings: verdict.findings.map((finding) => ({ ...finding, message: clean(finding.message) })),
    })),
    results: results.map((result) =>
      result.mishap === undefined ? result : { ...result, mishap: clean(result.mishap) },
    ),
  };
}

function clean(text: string): string {
  return redactText(text, []);
}
