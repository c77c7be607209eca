import type { Requirement, RequirementId, Subject } from '../requirements/requirement.ts';
import { originOf, otherSources, sourcePage } from '../requirements/source-pages.ts';
import type { Cause } from '../verdict/causes.ts';
import type { Verdict, VerdictFinding } from '../verdict/verdict.ts';
import { type JournalEntry, parsed } from '../wire/messages.ts';
import { frameExcerpt, frameSummary, shortened } from './frame-excerpt.ts';
import { type Markup, markup } from './markup.ts';
import type { ReportOptions } from './report-options.ts';
import { countsAgainst } from './strictness.ts';

/** What the rows of a page need to know. */
export interface HtmlContext extends ReportOptions {
  readonly kind: Subject;
  /** Requirements that are broken by the same. */
  readonly explains?: readonly Verdict[];
  /** The requirement under which the frames are shown. */
  readonly shownAt?: RequirementId | undefined;
}

/** How many findings of a requirement, and frames of a finding, a page holds. */
const shownFindings = 20;
const shownFrames = 40;

/** How an outcome is shown on a page: what is broken and does not count is advice. */
export type Standing = 'failed' | 'advice' | 'passed' | 'not-exercised' | 'not-observable';

export const marks: Readonly<Record<Standing, string>> = {
  failed: '✗',
  advice: '!',
  passed: '✓',
  'not-exercised': '·',
  'not-observable': '–',
};

export function standingOf({ requirement, outcome }: Verdict, { from }: ReportOptions): Standing {
  if (outcome === 'not exercised') return 'not-exercised';
  if (outcome === 'not observable') return 'not-observable';
  return outcome === 'failed' && !countsAgainst(requirement, from) ? 'advice' : outcome;
}

/** A requirement that is broken, with all that shows it, and what else is broken by that. */
export function brokenRow({ verdict, explains }: Cause, context: HtmlContext): Markup {
  return row(verdict, { ...context, explains }, markup` open`);
}

/** A requirement of the list of all. The evidence of what is broken stands further up. */
export function plainRow(verdict: Verdict, context: HtmlContext): Markup {
  const isBroken = verdict.outcome === 'failed';
  if (!isBroken) return row(verdict, context, markup` id="${verdict.requirement.id}"`);
  const { id } = verdict.requirement;
  const place = context.shownAt ?? id;
  return markup`<details class="verdict ${standingOf(verdict, context)}" id="${id}">${heading(verdict, context)}
<div><p>${verdict.findings.map(({ message }) => message).join('; ')}</p><p class="where"><a href="#broken-${place}">What shows it</a></p></div></details>
`;
}

function row(verdict: Verdict, context: HtmlContext, attributes: Markup): Markup {
  const { requirement, findings } = verdict;
  const own = verdict.outcome === 'failed' ? markup` id="broken-${requirement.id}"` : markup``;
  return markup`<details class="verdict ${standingOf(verdict, context)}"${own}${attributes}>${heading(verdict, context)}
<div>${findings.slice(0, shownFindings).map((finding) => findingBlock(finding, context))}${more(findings.length - shownFindings, 'findings')}${sourceLine(requirement)}${alsoBroken(context.explains ?? [])}</div></details>
`;
}

function alsoBroken(explained: readonly Verdict[]): Markup | undefined {
  if (explained.length === 0) return undefined;
  const items = explained.map(
    ({ requirement: { id, level, behaviour } }) =>
      markup`<li><a href="#${id}">${id}</a> <span class="level">${level}</span> ${withCode(behaviour)}</li>
`,
  );
  return markup`<p class="where">The same breaks</p><ul>${items}</ul>`;
}

function heading(verdict: Verdict, context: HtmlContext): Markup {
  const { id, level, basis, behaviour } = verdict.requirement;
  const standing = standingOf(verdict, context);
  return markup`<summary><span class="mark" title="${standing.replace('-', ' ')}">${marks[standing]}</span><b>${id}</b><span class="level">${level}${basis === 'implied' && level !== 'DERIVED' ? markup`<br>implied` : undefined}</span><span>${withCode(behaviour)}</span></summary>`;
}

function findingBlock({ scenario, message, evidence }: VerdictFinding, context: HtmlContext): Markup {
  const title = context.titles?.get(scenario);
  const titled = title === undefined ? undefined : markup`: ${withCode(title)}`;
  const where = scenario === '' ? undefined : markup`<p class="where">in <code>${scenario}</code>${titled}</p>`;
  const frames = evidence.slice(0, shownFrames).map((entry) => frameItem(entry, context));
  return markup`<p class="message">${message}</p>${where}${frames.length > 0 ? markup`<ol class="frames">${frames}</ol>` : undefined}${more(evidence.length - shownFrames, 'frames')}
`;
}

function more(count: number, what: string): Markup | undefined {
  return count > 0 ? markup`<p class="where">and ${count} more ${what}: the report in JSON has them</p>` : undefined;
}

function frameItem(entry: JournalEntry, { kind }: HtmlContext): Markup {
  const { at, from, text, flaw } = frameExcerpt(entry);
  const who = markup`<span class="from${from === kind ? ' judged' : ''}">${from}</span>`;
  const flawed = flaw === undefined ? undefined : markup` <b>${flaw}</b>`;
  return markup`<li><details><summary><time>${at} ms</time>${who}${flawed}<code>${shortened(frameSummary(text), 400)}</code></summary><pre>${indented(text)}</pre></details></li>
`;
}

/** JSON over several lines; anything else as it is. */
function indented(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, undefined, 2);
}

/** Where a requirement is written, and in which words. */
function sourceLine(requirement: Requirement): Markup {
  const { quote } = requirement;
  const { begins, named } = originOf(requirement);
  const links = named.map((source, place) => {
    const address = sourcePage(source);
    const other = markup`<span title="${otherSources[source]}">${source}</span>`;
    const link = address === undefined ? other : markup`<a href="${address}">${source}</a>`;
    return markup`${place === 0 ? '' : ', '}${link}`;
  });
  const words = quote === undefined ? undefined : markup`: “${quote.text}”`;
  return markup`<p class="sources">${begins} ${links}${words}</p>`;
}

/** Words between backticks as code. */
function withCode(text: string): readonly Markup[] {
  return text.split('`').map((part, place) => (place % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`));
}
