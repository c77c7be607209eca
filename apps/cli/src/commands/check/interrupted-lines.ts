import {
  requirements,
  type ScenarioResult,
  type Strictness,
  type Subject,
  summarise,
  verdictOn,
} from '@turnwire/conformance';
import { wrapWords } from '../../terminal/text-width.ts';
import { brokenLines } from './broken-lines.ts';
import type { LineFormat } from './frame-lines.ts';

/** A check that was interrupted. */
export interface Interrupted {
  readonly kind: Subject;
  /** The results of the finished scenarios. */
  readonly results: readonly ScenarioResult[];
  /** The number of selected scenarios. */
  readonly total: number;
}

/** The findings of an interrupted check, without a conclusion. */
export function interruptedLines(
  { kind, results, total }: Interrupted,
  from: Strictness,
  format: LineFormat,
): readonly string[] {
  const verdicts = requirements.map((requirement) => verdictOn(requirement, results));
  const { broken, causes } = summarise(
    { subject: '', kind, version: 1, seed: 0, duration: 0, verdicts, results },
    from,
  );
  const found =
    broken.length === 0 ? 'no requirement that counts' : broken.map(({ requirement: { id } }) => id).join(' ');
  const sentence = `Interrupted after ${results.length} of ${total} scenarios. Broken so far: ${found}. No report is written.`;
  return [
    ...brokenLines(
      causes.filter(({ verdict }) => broken.includes(verdict)),
      kind,
      { ...format, mark: ['✗', 'red'] },
    ),
    ...brokenLines(
      causes.filter(({ verdict }) => !broken.includes(verdict)),
      kind,
      { ...format, mark: ['!', 'yellow'] },
    ),
    '',
    ...wrapWords(sentence, format.width).map((line) => format.paint('yellow', line)),
  ];
}
