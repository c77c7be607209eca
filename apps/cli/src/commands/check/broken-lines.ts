import { type Cause, originOf, type Subject, type VerdictFinding } from '@turnwire/conformance';
import { visibleText } from '../../terminal/clean-text.ts';
import type { Style } from '../../terminal/paint.ts';
import { wrapWords } from '../../terminal/text-width.ts';
import { frameLines, type LineLook } from './frame-lines.ts';

/** How lines are laid out, with the mark in front of a broken requirement. */
export interface BrokenLook extends LineLook {
  readonly mark: readonly [mark: string, style: Style];
}

/** How many findings of a requirement and frames of a finding are shown without --verbose. */
const shownFindings = 3;
const shownFrames = 4;

/** What is broken, by level and part of the protocol, each cause with the frames that show it. */
export function brokenLines(causes: readonly Cause[], kind: Subject, look: BrokenLook): readonly string[] {
  const lines: string[] = [];
  let group = '';
  for (const cause of causes) {
    const { level, basis, section } = cause.verdict.requirement;
    const strength = basis === 'implied' && level !== 'DERIVED' ? `${level}, implied` : level;
    if (`${strength} · ${section}` !== group) lines.push('', look.paint('bold', `${strength} · ${section}`));
    group = `${strength} · ${section}`;
    lines.push(...causeLines(cause, kind, look));
  }
  return lines;
}

function causeLines({ verdict, explains }: Cause, kind: Subject, look: BrokenLook): readonly string[] {
  const { requirement, findings } = verdict;
  const { id, behaviour, quote } = requirement;
  const { begins, named } = originOf(requirement);
  const [first = '', ...others] = wrapWords(behaviour, look.width - 9);
  const shown = look.isWhole ? findings : findings.slice(0, shownFindings);
  return [
    `  ${look.paint(look.mark[1], look.mark[0])} ${look.paint('bold', id)} ${first}`,
    ...others.map((line) => `${' '.repeat(9)}${line}`),
    ...shown.flatMap((finding) => findingLines(finding, kind, look)),
    ...more(findings.length - shown.length, 'more of this', look),
    ...wrapWords(
      `${begins} ${named.join(', ')}${quote === undefined ? '' : `: “${quote.text}”`}`.trim(),
      look.width - 9,
    ).map((line) => `${' '.repeat(9)}${look.paint('dim', line)}`),
    ...explains.flatMap(({ requirement: other }) =>
      wrapWords(`The same breaks ${other.id} (${other.level}): ${other.behaviour}`, look.width - 9).map(
        (line) => `${' '.repeat(9)}${line}`,
      ),
    ),
  ];
}

function findingLines(
  { scenario, message, evidence }: VerdictFinding,
  kind: Subject,
  look: BrokenLook,
): readonly string[] {
  const shown = look.isWhole ? evidence : evidence.slice(0, shownFrames);
  return [
    ...wrapWords(visibleText(message), look.width - 9).map(
      (line) => `${' '.repeat(9)}${look.paint(look.mark[1], line)}`,
    ),
    ...shown.flatMap((entry) => frameLines(entry, kind, look)),
    ...more(evidence.length - shown.length, 'more frames', look),
    `${' '.repeat(9)}${look.paint('dim', `in ${scenario}`)}`,
  ];
}

function more(count: number, what: string, { paint }: LineLook): readonly string[] {
  return count > 0 ? [`${' '.repeat(11)}${paint('dim', `and ${count} ${what}: --verbose`)}`] : [];
}
