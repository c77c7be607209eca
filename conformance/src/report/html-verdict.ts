import type { Requirement, RequirementId, Subject } from '../requirements/requirement.ts';
import { fixOf } from '../requirements/fix-of.ts';
import { originOf, otherSources, sourcePage } from '../requirements/source-pages.ts';
import type { Cause } from '../verdict/causes.ts';
import type { Verdict, VerdictFinding } from '../verdict/verdict.ts';
import { type JournalEntry, parsed } from '../wire/messages.ts';
import { frameExcerpt, frameSummary, shortened } from './frame-excerpt.ts';
import { keyFrameCount, keyFrames } from './key-frames.ts';
import { type Markup, markup } from './markup.ts';
import type { ReportOptions } from './report-options.ts';
import { countsAgainst } from './strictness.ts';

/** The context of the rows of a page. */
export interface HtmlContext extends ReportOptions {
  readonly kind: Subject;
  /** Other requirements that the same violations break. */
  readonly explains?: readonly Verdict[];
  /** The requirement under which the frames of this one are shown. */
  readonly shownAt?: RequirementId | undefined;
}

/** Maximum number of findings per requirement on a page. */
const shownFindings = 20;
/** Maximum number of frames per finding on a page. */
const shownFrames = 40;

/** How a verdict is displayed. A broken requirement that does not count is advice. */
export type RowState = 'failed' | 'advice' | 'passed' | 'not-exercised' | 'not-observable';

export const marks: Readonly<Record<RowState, string>> = {
  failed: '✗',
  advice: '!',
  passed: '✓',
  'not-exercised': '·',
  'not-observable': '–',
};

export function rowStateOf({ requirement, outcome }: Verdict, { from }: ReportOptions): RowState {
  if (outcome === 'not exercised') return 'not-exercised';
  if (outcome === 'not observable') return 'not-observable';
  return outcome === 'failed' && !countsAgainst(requirement, from) ? 'advice' : outcome;
}

/** A broken requirement with its evidence, and the other requirements that the same violations break. */
export function brokenRow({ verdict, explains }: Cause, context: HtmlContext): Markup {
  return row(verdict, { ...context, explains }, markup` open`);
}

/** A requirement in the list of all. If it is broken, the row links to its evidence. */
export function plainRow(verdict: Verdict, context: HtmlContext): Markup {
  const isBroken = verdict.outcome === 'failed';
  if (!isBroken) return row(verdict, context, markup` id="${verdict.requirement.id}"`);
  const { id } = verdict.requirement;
  const shownAt = context.shownAt ?? id;
  return markup`<details class="verdict ${rowStateOf(verdict, context)}" id="${id}">${heading(verdict, context)}
<div><p>${verdict.findings.map(({ message }) => message).join('; ')}</p><p class="where"><a href="#broken-${shownAt}">Evidence</a></p></div></details>
`;
}

function row(verdict: Verdict, context: HtmlContext, attributes: Markup): Markup {
  const { requirement, findings } = verdict;
  const anchor = verdict.outcome === 'failed' ? markup` id="broken-${requirement.id}"` : markup``;
  return markup`<details class="verdict ${rowStateOf(verdict, context)}"${anchor}${attributes}>${heading(verdict, context)}
<div>${findings.slice(0, shownFindings).map((finding) => findingBlock(finding, context))}${more(findings.length - shownFindings, 'findings')}${verdict.outcome === 'failed' ? markup`<p class="fix">To fix it: ${withCode(fixOf(requirement))}</p>` : undefined}${sourceLine(requirement)}${alsoBroken(context.explains ?? [])}</div></details>
`;
}

function alsoBroken(explained: readonly Verdict[]): Markup | undefined {
  if (explained.length === 0) return undefined;
  const items = explained.map(
    ({ requirement: { id, level, behaviour } }) =>
      markup`<li><a href="#${id}">${id}</a> <span class="level">${level}</span> ${withCode(behaviour)}</li>
`,
  );
  return markup`<p class="where">The same violation also breaks</p><ul>${items}</ul>`;
}

function heading(verdict: Verdict, context: HtmlContext): Markup {
  const { id, level, basis, behaviour } = verdict.requirement;
  const state = rowStateOf(verdict, context);
  return markup`<summary><span class="mark" title="${state.replace('-', ' ')}">${marks[state]}</span><b>${id}</b><span class="level">${level}${basis === 'implied' && level !== 'DERIVED' ? markup`<br>implied` : undefined}</span><span>${withCode(behaviour)}</span></summary>`;
}

function findingBlock({ scenario, message, evidence }: VerdictFinding, context: HtmlContext): Markup {
  const title = context.titles?.get(scenario);
  const titled = title === undefined ? undefined : markup`: ${withCode(title)}`;
  const where = scenario === '' ? undefined : markup`<p class="where">in <code>${scenario}</code>${titled}</p>`;
  const items = (entries: readonly JournalEntry[]): Markup =>
    markup`<ol class="frames">${entries.map((entry) => frameItem(entry, context))}</ol>`;
  const whole =
    evidence.length > keyFrameCount
      ? markup`<details><summary>All ${evidence.length} frames</summary>${items(evidence.slice(0, shownFrames))}${more(evidence.length - shownFrames, 'frames')}</details>`
      : undefined;
  return markup`<p class="message">${message}</p>${where}${evidence.length > 0 ? items(keyFrames(evidence)) : undefined}${whole}
`;
}

function more(count: number, what: string): Markup | undefined {
  return count > 0 ? markup`<p class="where">and ${count} more ${what}, which are in the JSON report</p>` : undefined;
}

function frameItem(entry: JournalEntry, { kind }: HtmlContext): Markup {
  const { at, from, text, flaw } = frameExcerpt(entry);
  const who = markup`<span class="from${from === kind ? ' judged' : ''}">${from}</span>`;
  const flawed = flaw === undefined ? undefined : markup` <b>${flaw}</b>`;
  return markup`<li><details><summary><time>${at} ms</time>${who}${flawed}<code>${shortened(frameSummary(text), 400)}</code></summary><pre>${indented(text)}</pre></details></li>
`;
}

/** Indents JSON; returns other text unchanged. */
function indented(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, undefined, 2);
}

/** The sources of a requirement, with the quote. */
function sourceLine(requirement: Requirement): Markup {
  const { quote, official = [] } = requirement;
  const { begins, named } = originOf(requirement);
  const links = named.map((source, nth) => {
    const address = sourcePage(source);
    const other = markup`<span title="${otherSources[source]}">${source}</span>`;
    const link = address === undefined ? other : markup`<a href="${address}">${source}</a>`;
    return markup`${nth === 0 ? '' : ', '}${link}`;
  });
  const quotation = quote === undefined ? undefined : markup`: “${quote.text}”`;
  const ids = official.length === 0 ? undefined : markup`<p class="sources">In acp-tck: ${official.join(' ')}</p>`;
  return markup`<p class="sources">${begins} ${links}${quotation}</p>${ids}`;
}

/** Formats text between backticks as code. */
function withCode(text: string): readonly Markup[] {
  return text.split('`').map((part, nth) => (nth % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`));
}
