import {
  frameExcerpt,
  type JournalEntry,
  shortened,
  type Subject,
  type Verdict,
  type VerdictFinding,
} from '@agentwire/conformance';
import { cleanLine, cleanText } from '../../terminal/clean-text.ts';
import type { Paint, Style } from '../../terminal/paint.ts';
import { wrapExactly, wrapWords } from '../../terminal/text-width.ts';

/** How lines are written. */
export interface LineLook {
  readonly paint: Paint;
  /** In columns. */
  readonly width: number;
  /** Everything that shows it, instead of what fits. */
  readonly isWhole: boolean;
}

/** The same, with what stands before what is broken. */
export interface BrokenLook extends LineLook {
  readonly mark: readonly [mark: string, style: Style];
}

/** How many findings of a requirement, frames of a finding and lines of a frame are shown unless all are asked for. */
const shownFindings = 3;
const shownFrames = 4;
const shownFrameLines = 2;

/** What is broken, by level and part of the protocol, with the frames that show it. */
export function brokenLines(verdicts: readonly Verdict[], kind: Subject, look: BrokenLook): readonly string[] {
  const lines: string[] = [];
  let group = '';
  for (const verdict of verdicts) {
    const { level, section } = verdict.requirement;
    if (`${level} · ${section}` !== group) lines.push('', look.paint('bold', `${level} · ${section}`));
    group = `${level} · ${section}`;
    lines.push(...verdictLines(verdict, kind, look));
  }
  return lines;
}

function verdictLines({ requirement, findings }: Verdict, kind: Subject, look: BrokenLook): readonly string[] {
  const { id, behaviour, sources } = requirement;
  const [first = '', ...others] = wrapWords(behaviour, look.width - 9);
  const shown = look.isWhole ? findings : findings.slice(0, shownFindings);
  return [
    `  ${look.paint(look.mark[1], look.mark[0])} ${look.paint('bold', id)} ${first}`,
    ...others.map((line) => `${' '.repeat(9)}${line}`),
    ...shown.flatMap((finding) => findingLines(finding, kind, look)),
    ...more(findings.length - shown.length, 'more of this', look),
    `${' '.repeat(9)}${look.paint('dim', `Written in: ${sources.join(', ')}`)}`,
  ];
}

function findingLines(
  { scenario, message, evidence }: VerdictFinding,
  kind: Subject,
  look: BrokenLook,
): readonly string[] {
  const shown = look.isWhole ? evidence : evidence.slice(0, shownFrames);
  return [
    ...wrapWords(cleanText(message), look.width - 9).map((line) => `${' '.repeat(9)}${look.paint(look.mark[1], line)}`),
    ...shown.flatMap((entry) => frameLines(entry, kind, look)),
    ...more(evidence.length - shown.length, 'more frames', look),
    `${' '.repeat(9)}${look.paint('dim', `in ${scenario}`)}`,
  ];
}

/** What the judged side says points to the left, as it comes to us. */
function frameLines(entry: JournalEntry, kind: Subject, { paint, width, isWhole }: LineLook): readonly string[] {
  const { at, from, text, flaw } = frameExcerpt(entry);
  const head = `${from === kind ? '←' : '→'} ${at} ms `;
  const room = Math.max(20, width - 11 - head.length);
  const body = `${flaw === undefined ? '' : `(${flaw}) `}${cleanLine(text)}`;
  const lines = wrapExactly(isWhole ? body : shortened(body, room * shownFrameLines - 24), room);
  return lines.map(
    (line, place) => `${' '.repeat(11)}${paint('dim', place === 0 ? head : ' '.repeat(head.length))}${line}`,
  );
}

function more(count: number, what: string, { paint }: LineLook): readonly string[] {
  return count > 0 ? [`${' '.repeat(11)}${paint('dim', `and ${count} ${what}: --verbose`)}`] : [];
}
