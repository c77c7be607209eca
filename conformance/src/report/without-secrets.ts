import { redactText } from '@turnwire/protocol';
import type { Judgement } from '../verdict/verdict.ts';

/**
 * A judgement whose sentences may be shown to others: output of a peer can contain a key. Frames are cleaned when they are shown, by {@link
 * frameExcerpt}.
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
      result.harnessError === undefined ? result : { ...result, harnessError: clean(result.harnessError) },
    ),
  };
}

function clean(text: string): string {
  return redactText(text, []);
}
