import { requirements } from '@turnwire/conformance';

/** A broken requirement of a subject. */
export interface BrokenRequirement {
  readonly id: string;
  readonly level: string;
  /** The sentence of the requirement. */
  readonly behaviour: string;
  /** The observations. */
  readonly messages: readonly string[];
  /** The requirement whose violations explain this one. */
  readonly sameCauseAs?: string | undefined;
}

/** The results of checking one agent or client. */
export interface CheckedSubject {
  readonly name: string;
  readonly kind: 'agent' | 'client';
  readonly packages: readonly string[];
  /** The name and version that it reports. */
  readonly introduced?: string | undefined;
  /** The day of the check: ISO 8601. */
  readonly day: string;
  /** The commit of the protocol text. */
  readonly protocol: string;
  readonly counts: { readonly passed: number; readonly failed: number; readonly 'not exercised': number };
  /** Why it could not be judged. */
  readonly unreachable?: string | undefined;
  readonly broken: readonly BrokenRequirement[];
}

/** A conclusion after reading the frames of a violation. */
interface Review {
  /** The side at fault. */
  readonly whose: 'theirs' | 'ours' | 'open';
  /** The evidence in the frames. */
  readonly why: string;
}

/** Reviews by subject and requirement. */
export type Reviews = Readonly<Record<string, Readonly<Record<string, Review>>>>;

const begin = '<!-- results: written by npm run check-real -- --record -->';
const end = '<!-- end of the results -->';

/**
 * Replaces the results on the page.
 * @throws Error if the page has no section for them
 */
export function withResults(page: string, subjects: readonly CheckedSubject[], reviews: Reviews): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no results between ${begin} and ${end}`);
  const parts = (['agent', 'client'] as const).flatMap((kind) => {
    const some = subjects.filter((each) => each.kind === kind);
    return [table(kind, some), ...some.flatMap((subject) => failures(subject, reviews[subject.name] ?? {}))];
  });
  return `${page.slice(0, from)}${[begin, ...parts, unobservable(), end].join('\n\n')}${page.slice(to + end.length)}`;
}

/** The requirements that no check from outside can decide, with the reason: no row counts them. */
function unobservable(): string {
  const items = requirements.flatMap(({ id, behaviour, unobservable: reasons = {} }) =>
    Object.entries(reasons).map(([side, why]) => `- **${id}** (${side}): ${withCode(behaviour)}\n  - ${withCode(why)}`),
  );
  return `## What cannot be checked from outside\n\nThese requirements count for no row above: the frames do not show whether a peer meets them.\n\n${items.join('\n')}`;
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

/** The list of a subject's violations, one entry per cause, with its review. */
function failures({ name, broken }: CheckedSubject, reviews: Readonly<Record<string, Review>>): readonly string[] {
  const causes = broken.filter(({ sameCauseAs }) => sameCauseAs === undefined);
  if (causes.length === 0) return [];
  const entries = causes.map(({ id, level, behaviour, messages }) => {
    const others = broken.filter(({ sameCauseAs }) => sameCauseAs === id).map((each) => each.id);
    const review = reviews[id];
    return [
      `- **${[id, ...others].join(', ')}** ${level}: ${withCode(behaviour)}`,
      `  - seen: ${escaped(messages[0] ?? '')}`,
      `  - ${review === undefined ? 'not reviewed yet' : `**${review.whose}**: ${review.why}`}`,
    ].join('\n');
  });
  return [`### \`${name}\``, entries.join('\n')];
}

export function isStrict(level: string): boolean {
  return level.startsWith('MUST');
}

/** Our own text, in which backticks mark code. */
function withCode(text: string): string {
  const parts = text.split('`');
  return parts.map((part, nth) => (nth % 2 === 1 ? `\`${part}\`` : inert(part))).join('');
}

/** Text of peers: shortened and escaped. */
function escaped(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 199)}…` : text;
  return inert(short);
}

/** Escapes all characters that Markdown interprets. */
function inert(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\|`*_[\]<>~#&]/g, '\\$&');
}
