import { htmlPage } from '../report/html-page.ts';
import { type Markup, markup } from '../report/markup.ts';
import type { OutcomeCounts } from '../report/summary.ts';
import { cellText, legend, madeFrom, type Matrix, type MatrixRow, rowsOf } from './matrix.ts';

/** The matrix as one HTML page, without scripts and external content. */
export function matrixHtml(matrix: Matrix, madeAt: Date): string {
  const { sections, rows } = matrix;
  const day = madeAt.toISOString().slice(0, 16).replace('T', ' ');
  return htmlPage(
    'Compatibility matrix',
    markup`<h1>Compatibility matrix</h1>
<p class="facts">${rows.length} ${rowsOf(matrix) === 'agent or client' ? 'agents and clients' : `${rowsOf(matrix)}s`} · <time>${day} UTC</time></p>
<div class="wide matrix"><table><thead><tr><th scope="col">${rowsOf(matrix)}</th><th scope="col">protocol</th><th scope="col" class="result">result</th>${sections.map((section) => markup`<th scope="col">${section}</th>`)}</tr></thead>
<tbody>${rows.map((row) => rowMarkup(row, sections.length))}</tbody></table></div>
<footer>${legend} ${madeFrom(madeAt)}</footer>`,
  );
}

function rowMarkup(
  { name, introduced, conclusion, result, counts, traces, packages, protocol }: MatrixRow,
  width: number,
): Markup {
  const introduction = introduced === undefined ? undefined : markup`<br><span class="level">${introduced}</span>`;
  const pinned = packages.length === 0 ? undefined : markup`<br><span class="level">${packages.join(', ')}</span>`;
  const head = markup`<td><b>${name}</b>${introduction}${pinned}</td><td>${String(protocol)}</td>`;
  const summary = markup`<td class="result ${conclusion.replace(' ', '-')}"`;
  if (counts.length === 0)
    return markup`<tr>${head}${summary} colspan="${width + 1}"><span class="reason">${result}</span></td></tr>
`;
  return markup`<tr>${head}${summary}>${result}</td>${counts.map((each, nth) => cell(each, traces[nth]))}</tr>
`;
}

function cell(counts: OutcomeCounts, trace: string | undefined): Markup {
  const summary = `${counts.passed} passed, ${counts.failed} failed, ${counts['not exercised']} not exercised, ${counts['not observable']} not observable`;
  return markup`<td class="${counts.failed > 0 ? 'failed' : counts.passed === 0 ? 'zero' : 'passed'}" title="${summary}">${trace === undefined ? cellText(counts) : markup`<a href="${encodeURI(trace)}">${cellText(counts)}</a>`}</td>`;
}
