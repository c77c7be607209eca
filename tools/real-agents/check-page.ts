/** A requirement that a subject breaks. */
export interface BrokenRequirement {
  readonly id: string;
  readonly level: string;
  /** The requirement. */
  readonly behaviour: string;
  /** What was seen. */
  readonly messages: readonly string[];
  /** The requirement whose violation explains this one. */
  readonly sameCauseAs?: string | undefined;
}

/** What the kit found of one agent or client. */
export interface CheckedSubject {
  readonly name: string;
  readonly kind: 'agent' | 'client';
  readonly packages: readonly string[];
  /** What it says of itself. */
  readonly introduced?: string | undefined;
  /** The day it was judged: ISO 8601. */
  readonly day: string;
  /** The commit of the text of the protocol. */
  readonly protocol: string;
  readonly counts: { readonly passed: number; readonly failed: number; readonly 'not exercised': number };
  /** Why it could not be judged. */
  readonly unreachable?: string | undefined;
  readonly broken: readonly BrokenRequirement[];
}

/** What somebody found who read the frames of a failure. */
interface LookedAt {
  /** Whose fault it is. */
  readonly whose: 'theirs' | 'ours' | 'open';
  /** What the frames show. */
  readonly why: string;
}

/** By the name of a subject, and the requirement. */
export type LookedAtFailures = Readonly<Record<string, Readonly<Record<string, LookedAt>>>>;

const begin = '<!-- results: written by npm run check-real -- --record -->';
const end = '<!-- end of the results -->';

/**
 * A page with the results between its marks.
 * @throws Error if the page has no place for them
 */
export function withResults(page: string, subjects: readonly CheckedSubject[], lookedAt: LookedAtFailures): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no results between ${begin} and ${end}`);
  const parts = (['agent', 'client'] as const).flatMap((kind) => {
    const some = subjects.filter((each) => each.kind === kind);
    return [table(kind, some), ...some.flatMap((subject) => failures(subject, lookedAt[subject.name] ?? {}))];
  });
  return `${page.slice(0, from)}${[begin, ...parts, end].join('\n\n')}${page.slice(to + end.length)}`;
}

function table(kind: CheckedSubject['kind'], subjects: readonly CheckedSubject[]): string {
  const rows = subjects.map(({ name, packages, day, counts, broken, unreachable }) => {
    const causes = broken.filter(({ sameCauseAs }) => sameCauseAs === undefined);
    const must = causes.filter(({ level }) => isStrict(level)).length;
    const found =
      unreachable === undefined
        ? [must, causes.length - must, counts.passed, counts['not exercised']]
        : ['not judged', '', '', ''];
    return [`\`${name}\``, ...found, `${packages.join(', ') || 'this repository'}, ${day}`];
  });
  const head = [kind, 'MUST broken', 'weaker broken', 'kept', 'not exercised', 'version, checked on'];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `## ${kind === 'agent' ? 'Agents' : 'Clients'}\n\n${lines.join('\n')}`;
}

/** What a subject breaks, one entry a cause, with what was found when its frames were read. */
function failures({ name, broken }: CheckedSubject, lookedAt: Readonly<Record<string, LookedAt>>): readonly string[] {
  const causes = broken.filter(({ sameCauseAs }) => sameCauseAs === undefined);
  if (causes.length === 0) return [];
  const entries = causes.map(({ id, level, behaviour, messages }) => {
    const others = broken.filter(({ sameCauseAs }) => sameCauseAs === id).map((each) => each.id);
    const found = lookedAt[id];
    return [
      `- **${[id, ...others].join(', ')}** ${level}: ${withCode(behaviour)}`,
      `  - seen: ${escaped(messages[0] ?? '')}`,
      `  - ${found === undefined ? 'not looked at yet' : `**${found.whose}**: ${found.why}`}`,
    ].join('\n');
  });
  return [`### \`${name}\``, entries.join('\n')];
}

export function isStrict(level: string): boolean {
  return level.startsWith('MUST');
}

/** Text of ours, which has code between backticks. */
function withCode(text: string): string {
  const parts = text.split('`');
  return parts.map((part, place) => (place % 2 === 1 ? `\`${part}\`` : inert(part))).join('');
}

/** Text of peers, as text of an entry. */
function escaped(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 199)}…` : text;
  return inert(short);
}

/** What marks nothing up. */
function inert(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\|`*_[\]<>~#&]/g, '\\$&');
}
