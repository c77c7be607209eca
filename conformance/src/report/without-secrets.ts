import { redactText } from '@turnwire/protocol';
import type { Judgement } from '../verdict/verdict.ts';

/**
 * Removes secrets from the sentences of a judgement: output of a peer can contain a key. Frames are cleaned when they are shown, by
 * {@link frameExcerpt}.
 */
export function withoutSecrets(judgement: Judgement): Judgement {
  const { subject, unreachable, lastOutput, verdicts, results } = judgement;
  return {
    ...judgement,
    subject: clean(subject),
    ...(unreachable !== undefined && { unreachable: clean(unreachable) }),
    ...(lastOutput !== undefined && { lastOutput: clean(lastOutput) }),
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
