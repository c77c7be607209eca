import { requirements } from '../requirements/requirements.ts';
import type { Level, Subject } from '../requirements/requirement.ts';
import { inMarkdown } from './in-markdown.ts';
import type { KeptCell, KeptRow, KeptViolation } from './kept-row.ts';

/** A conclusion after reading the frames of a violation. */
export interface Review {
  /** The side at fault: the subject, or the kit. */
  readonly whose: 'theirs' | 'ours' | 'open';
  /** The evidence in the frames, in Markdown. */
  readonly why: string;
}

/** Reviews by name of a subject and id of a requirement. */
export type Reviews = Readonly<Record<string, Readonly<Record<string, Review>>>>;

const begin = '<!-- matrix: written by turnwire check matrix -->';
const end = '<!-- end of the matrix -->';

/** The text of a page that does not exist yet. */
export const newPage: string = `# Results of turnwire check\n\n${begin}\n${end}\n`;

/**
 * Replaces the results on a page.
 * @throws RangeError if the page has no section for them
 */
export function pageWith(page: string, rows: readonly KeptRow[], reviews: Reviews): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new RangeError(`the page has no section between ${begin} and ${end}`);
  const kinds = (['agent', 'client'] as const).filter((kind) => rows.some((row) => row.kind === kind));
  const parts = kinds.flatMap((kind) =>
    partOf(
      kind,
      rows.filter((row) => row.kind === kind),
      reviews,
    ),
  );
  return `${page.slice(0, from)}${[begin, ...parts, unobservable(), end].join('\n\n')}${page.slice(to + end.length)}`;
}

function partOf(kind: Subject, rows: readonly KeptRow[], reviews: Reviews): readonly string[] {
  const title = kind === 'agent' ? 'Agents' : 'Clients';
  const byVersion = ([1, 2] as const).flatMap((version) => {
    const judged = rows.filter(({ protocol, cells }) => protocol === version && cells.length > 0);
    if (judged.length === 0) return [];
    return [`### ${title} by part of version ${version}`, sectionTable(judged)];
  });
  const failures = rows.flatMap((row) => violations(row, reviews[row.name] ?? {}));
  return [`## ${title}`, summaryTable(kind, rows), ...byVersion, ...failures];
}

function summaryTable(kind: Subject, rows: readonly KeptRow[]): string {
  const head = [kind, 'protocol', 'MUST broken', 'weaker broken', 'kept', 'not exercised', 'version, checked on'];
  return tableOf(
    head,
    rows.map(({ name, protocol, packages, day, counts, broken, unreachable }) => {
      const causes = broken.filter(({ sameCauseAs }) => sameCauseAs === undefined);
      const must = causes.filter(({ level }) => isStrict(level)).length;
      const found =
        unreachable === undefined
          ? [must, causes.length - must, counts.passed, counts.unseen]
          : [`not judged: ${inMarkdown(unreachable)}`, '', '', ''];
      return [`\`${name}\``, protocol, ...found, `${packages.join(', ') || 'this repository'}, ${day}`];
    }),
  );
}

/** A row for each part of the protocol, and a column for each subject. */
function sectionTable(rows: readonly KeptRow[]): string {
  const sections = [...new Set(rows.flatMap(({ cells }) => cells.map(({ section }) => section)))];
  return tableOf(
    ['', ...rows.map(({ name }) => name)],
    sections.map((section) => [
      section,
      ...rows.map(({ cells }) => cellText(cells.find((cell) => cell.section === section))),
    ]),
  );
}

function cellText(cell: KeptCell | undefined): string {
  if (cell === undefined || cell.passed + cell.failed === 0) return '·';
  const text = cell.failed === 0 ? String(cell.passed) : `${cell.passed} ✗${cell.failed}`;
  return cell.trace === undefined ? text : `[${text}](${encodeURI(cell.trace)})`;
}

function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The violations of a subject, one entry for each cause, with its review. */
function violations({ name, protocol, broken }: KeptRow, reviews: Readonly<Record<string, Review>>): readonly string[] {
  const causes = broken.filter(({ sameCauseAs }) => sameCauseAs === undefined);
  if (causes.length === 0) return [];
  const title = `### \`${name}\`${protocol === 1 ? '' : ` in version ${protocol}`}`;
  return [title, causes.map((cause) => violationText(cause, broken, reviews[cause.id])).join('\n')];
}

function violationText(
  { id, level, behaviour, messages, trace }: KeptViolation,
  broken: readonly KeptViolation[],
  review: Review | undefined,
): string {
  const others = broken.filter(({ sameCauseAs }) => sameCauseAs === id).map((each) => each.id);
  const frames = trace === undefined ? '' : ` ([frames](${encodeURI(trace)}))`;
  return [
    `- **${[id, ...others].join(', ')}** ${level}: ${withCode(behaviour)}`,
    `  - seen: ${inMarkdown(shortened(messages[0] ?? ''))}${frames}`,
    `  - ${review === undefined ? 'not reviewed yet' : `**${review.whose}**: ${review.why}`}`,
  ].join('\n');
}

/** The requirements that no check from outside can decide, with the reason: no row counts them. */
function unobservable(): string {
  const items = requirements.flatMap(({ id, behaviour, unobservable: reasons = {} }) =>
    Object.entries(reasons).map(([side, why]) => `- **${id}** (${side}): ${withCode(behaviour)}\n  - ${withCode(why)}`),
  );
  return `## What cannot be checked from outside\n\nThese requirements count for no row above: the frames do not show whether a peer meets them.\n\n${items.join('\n')}`;
}

function isStrict(level: Level): boolean {
  return level.startsWith('MUST');
}

/** Our own text, in which backticks mark code. */
function withCode(text: string): string {
  const parts = text.split('`');
  return parts.map((part, nth) => (nth % 2 === 1 ? `\`${part}\`` : inMarkdown(part))).join('');
}

/** The maximum length of an observation on the page, in UTF-16 units. */
const longest = 200;

function shortened(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
