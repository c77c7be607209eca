import type { Cause } from '../verdict/causes.ts';
import type { Judgement, Verdict } from '../verdict/verdict.ts';
import { htmlPage } from './html-page.ts';
import { brokenRow, type HtmlContext, marks, plainRow, type RowState, rowStateOf } from './html-verdict.ts';
import { markup, type Markup } from './markup.ts';
import { nameOf } from './name-of.ts';
import type { ReportOptions } from './report-options.ts';
import { type OutcomeCounts, outcomes, summarise, type Summary } from './summary.ts';
import { unexercised } from './unexercised.ts';
import { withoutSecrets } from './without-secrets.ts';

/**
 * A judgement as one HTML page, which can be attached to an issue: broken requirements with their frames, those that were not exercised
 * with the reason, and a list of all requirements. It contains no script and loads nothing. Text of peers is escaped, and secrets are
 * removed.
 */
export function htmlReport(judged: Judgement, options: ReportOptions): string {
  const judgement = withoutSecrets(judged);
  const summary = summarise(judgement, options.from);
  const context = { ...options, kind: judgement.kind };
  const counting = summary.causes.filter(({ verdict }) => summary.broken.includes(verdict));
  const advised = summary.causes.filter(({ verdict }) => summary.advice.includes(verdict));
  return htmlPage(
    `Conformance of ${nameOf(judgement)}`,
    markup`${head(judgement, summary, options)}
${broken({ title: 'What is broken' }, counting, context)}
${broken({ title: 'Advice', lead: 'Also broken, but below the level that counts.' }, advised, context)}
${harnessErrors(judgement)}
${reasons(judgement)}
${all(judgement, summary, context)}
<footer>Silence is never a pass: <i>not exercised</i> means that the precondition did not occur, <i>not observable</i> that the behaviour cannot be seen from outside.</footer>`,
  );
}

function head(judgement: Judgement, summary: Summary, { madeAt, again }: ReportOptions): Markup {
  const { kind, subject, results, duration, seed, lastOutput } = judgement;
  const words = lastOutput === undefined ? undefined : markup`<p>Its last output:</p><pre>${lastOutput}</pre>`;
  const repeat = again === undefined ? undefined : markup`<p class="facts">Run it again: <code>${again}</code></p>`;
  return markup`<header>
<h1>Conformance of ${nameOf(judgement)}</h1>
<p class="facts">${kind} <code>${subject}</code></p>
<p class="facts">${results.length === 1 ? '1 scenario' : `${results.length} scenarios`} in ${(duration / 1000).toFixed(1)} s · seed ${seed} · <time>${madeAt.toISOString().slice(0, 16).replace('T', ' ')} UTC</time></p>
${repeat}
<p class="conclusion ${summary.conclusion.replace(' ', '-')}">${summary.sentence}</p>
${words}
${countTable(
  'Level',
  summary.levels.map(({ level, counts }) => [level, counts] as const),
  summary.total,
)}
</header>`;
}

function countTable(
  title: string,
  rows: readonly (readonly [name: string, counts: OutcomeCounts])[],
  total: OutcomeCounts,
): Markup {
  const cells = (counts: OutcomeCounts): readonly Markup[] =>
    outcomes.map(
      (outcome) =>
        markup`<td class="${counts[outcome] === 0 ? 'zero' : outcome.replace(' ', '-')}">${counts[outcome]}</td>`,
    );
  return markup`<div class="wide"><table><thead><tr><th scope="col">${title}</th>${outcomes.map((outcome) => markup`<th scope="col">${outcome}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([name, counts]) => markup`<tr><td>${name}</td>${cells(counts)}</tr>
`,
  )}<tr><td>all</td>${cells(total)}</tr></tbody></table></div>`;
}

function broken(
  { title, lead }: { readonly title: string; readonly lead?: string },
  causes: readonly Cause[],
  context: HtmlContext,
): Markup | undefined {
  if (causes.length === 0) return undefined;
  return markup`<section><h2>${title}</h2>${lead === undefined ? undefined : markup`<p class="facts">${lead}</p>`}
${causes.map((cause) => brokenRow(cause, context))}</section>`;
}

function harnessErrors({ results }: Judgement): Markup | undefined {
  const failed = results.filter(({ harnessError }) => harnessError !== undefined);
  if (failed.length === 0) return undefined;
  return markup`<section><h2>Mistakes of the kit</h2>
<p>These scenarios failed because of a mistake in the kit. This does not count against the subject, and their requirements were not observed. Please report it.</p>
${failed.map(({ scenario, harnessError }) => markup`<p><code>${scenario}</code></p><pre>${harnessError}</pre>`)}</section>`;
}

function reasons(judgement: Judgement): Markup | undefined {
  const all = unexercised(judgement);
  if (all.length === 0) return undefined;
  const item = ({ reason, verdicts: unseen }: (typeof all)[number]): Markup => {
    const ids = unseen.map(({ requirement: { id } }) => markup`<a href="#${id}">${id}</a> `);
    return markup`<li>${reason} <span class="ids">(${unseen.length}): ${ids}</span></li>
`;
  };
  return markup`<section><h2>What was not exercised, and why</h2><ul class="reasons">
${all.map(item)}</ul></section>`;
}

function all({ verdicts }: Judgement, { sections, causeOf }: Summary, context: HtmlContext): Markup {
  const inSection = (wanted: string): readonly Verdict[] =>
    verdicts.filter(({ requirement: { section } }) => section === wanted);
  const filters = (Object.keys(marks) as RowState[]).map((state) => {
    const { length } = verdicts.filter((verdict) => rowStateOf(verdict, context) === state);
    return markup`<label><input type="checkbox" id="show-${state}" checked> ${marks[state]} ${state.replace('-', ' ')} (${length})</label>`;
  });
  return markup`<section class="all"><h2>Every requirement</h2>
<div class="filter">${filters}</div>
${sections.map(
  ({ section }) => markup`<h3>${section}</h3>
${inSection(section).map((verdict) => plainRow(verdict, { ...context, shownAt: causeOf.get(verdict)?.requirement.id }))}`,
)}</section>`;
}
