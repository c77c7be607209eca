import {
  type Cause,
  fixOf,
  keyFrames,
  linkOf,
  originOf,
  type Subject,
  type VerdictFinding,
} from '@turnwire/conformance';
import { visibleText } from '../../terminal/clean-text.ts';
import type { Style } from '../../terminal/paint.ts';
import { wrapExactly, wrapWords } from '../../terminal/text-width.ts';
import { frameLines, type LineFormat } from './frame-lines.ts';

/** The format of lines, and the mark of a broken requirement. */
export interface BrokenFormat extends LineFormat {
  readonly mark: readonly [mark: string, style: Style];
}

/** The maximum number of findings per requirement without --verbose. */
const shownFindings = 3;

/** The broken requirements by level and section of the protocol, each with the frames that prove it. */
export function brokenLines(causes: readonly Cause[], kind: Subject, format: BrokenFormat): readonly string[] {
  const lines: string[] = [];
  let group = '';
  for (const cause of causes) {
    const { level, basis, section } = cause.verdict.requirement;
    const strength = basis === 'implied' && level !== 'DERIVED' ? `${level}, implied` : level;
    if (`${strength} · ${section}` !== group) lines.push('', format.paint('bold', `${strength} · ${section}`));
    group = `${strength} · ${section}`;
    lines.push(...causeLines(cause, kind, format));
  }
  return lines;
}

function causeLines({ verdict, explains }: Cause, kind: Subject, format: BrokenFormat): readonly string[] {
  const { requirement, findings } = verdict;
  const { id, behaviour, quote, official = [] } = requirement;
  const others = official.length > 0 ? [`acp-tck: ${official.join(' ')}`] : [];
  const link = linkOf(requirement);
  const { begins, named } = originOf(requirement);
  const [first = '', ...rest] = wrapWords(behaviour, format.width - 9);
  const shown = format.isWhole ? findings : findings.slice(0, shownFindings);
  return [
    `  ${format.paint(format.mark[1], format.mark[0])} ${format.paint('bold', id)} ${first}`,
    ...rest.map((line) => `${' '.repeat(9)}${line}`),
    ...others
      .flatMap((ids) => wrapWords(ids, format.width - 9))
      .map((line) => `${' '.repeat(9)}${format.paint('dim', line)}`),
    ...shown.flatMap((finding) => findingLines(finding, kind, format)),
    ...more(findings.length - shown.length, 'more of this', format),
    ...wrapWords(
      `${begins} ${named.join(', ')}${quote === undefined ? '' : `: “${quote.text}”`}`.trim(),
      format.width - 9,
    ).map((line) => `${' '.repeat(9)}${format.paint('dim', line)}`),
    ...wrapExactly(link ?? '', Math.max(20, format.width - 9)).map(
      (line) => `${' '.repeat(9)}${format.paint('dim', line)}`,
    ),
    ...wrapWords(`To fix it: ${fixOf(requirement)}`, format.width - 9).map((line) => `${' '.repeat(9)}${line}`),
    ...explains.flatMap(({ requirement: other }) =>
      wrapWords(`The same breaks ${other.id} (${other.level}): ${other.behaviour}`, format.width - 9).map(
        (line) => `${' '.repeat(9)}${line}`,
      ),
    ),
  ];
}

function findingLines(
  { scenario, message, evidence }: VerdictFinding,
  kind: Subject,
  format: BrokenFormat,
): readonly string[] {
  const shown = format.isWhole ? evidence : keyFrames(evidence);
  return [
    ...wrapWords(visibleText(message), format.width - 9).map(
      (line) => `${' '.repeat(9)}${format.paint(format.mark[1], line)}`,
    ),
    ...shown.flatMap((entry) => frameLines(entry, kind, format)),
    ...more(evidence.length - shown.length, 'more frames', format),
    `${' '.repeat(9)}${format.paint('dim', `in ${scenario}`)}`,
  ];
}

function more(count: number, what: string, { paint }: LineFormat): readonly string[] {
  return count > 0 ? [`${' '.repeat(11)}${paint('dim', `and ${count} ${what}: --verbose`)}`] : [];
}
