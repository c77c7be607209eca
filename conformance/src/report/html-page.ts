import { type Markup, markup, Markup as Written } from './markup.ts';

/** A page in one file: without scripts, and loading nothing from elsewhere, whatever it contains. */
export function htmlPage(title: string, body: Markup): string {
  return `<!doctype html>\n${
    markup`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Written(style)}</style>
</head>
<body>
${body}
</body>
</html>
`.text
  }`;
}

const style = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #d9d9e0; --back: #fff; --panel: #f6f6f8;
  --failed: #c62a2f; --advice: #9a5b00; --passed: #1a7a44; --unseen: #60646c; --link: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --soft: #a0a4ab; --line: #363a3f; --back: #111113; --panel: #1b1c1f;
  --failed: #ff7b80; --advice: #f5b457; --passed: #5bd08c; --unseen: #a0a4ab; --link: #75b6ff; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back); max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
a { color: var(--link); }
code, pre { font: 13px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.facts { color: var(--soft); margin: 0; }
.facts code { color: var(--ink); }
.conclusion { border-left: .3rem solid; padding: .6rem .9rem; margin: 1rem 0; background: var(--panel); font-weight: 600; }
.conforming { border-color: var(--passed); } .not-conforming { border-color: var(--failed); } .not-judged { border-color: var(--advice); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .2rem .75rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
thead th { font-weight: 500; color: var(--soft); }
body:has(.matrix) { max-width: 100rem; }
.matrix th, .matrix td { padding: .2rem .45rem; } .matrix td { white-space: nowrap; } .matrix td:first-child, .matrix td.result { white-space: normal; min-width: 8rem; }
.matrix thead th { vertical-align: bottom; } .matrix thead th:nth-child(n + 3) { writing-mode: sideways-lr; text-align: left; }
@supports not (writing-mode: sideways-lr) { .matrix thead th:nth-child(n + 3) { writing-mode: vertical-rl; } }
.matrix th:first-child, .matrix td:first-child { position: sticky; left: 0; padding-left: 0; background: var(--back); }
.zero { color: var(--soft); opacity: .55; }
details.verdict { border-bottom: 1px solid var(--line); scroll-margin-top: 1rem; }
details.verdict > summary { display: grid; grid-template-columns: 1.3rem 3.2rem 6.5rem 1fr; gap: .4rem; padding: .35rem 0; cursor: pointer; list-style: none; }
details.verdict > summary::-webkit-details-marker { display: none; }
details.verdict > summary:hover { background: var(--panel); }
details.verdict > div { margin: 0 0 1rem 1.7rem; }
details.verdict .mark { font-weight: 700; text-align: center; }
.level { color: var(--soft); font-size: .8rem; padding-top: .12rem; }
.failed .mark, .failed .message, td.failed { color: var(--failed); }
.advice .mark, .advice .message { color: var(--advice); }
.passed .mark { color: var(--passed); }
.message { font-weight: 600; margin: .5rem 0 .1rem; overflow-wrap: anywhere; }
.where, .sources { color: var(--soft); margin: 0 0 .3rem; font-size: .9rem; }
td.result, th.result { text-align: left; border-left-width: .25rem; padding-left: .6rem; }
td.result { border-left-style: solid; border-bottom-color: var(--line); }
ol.frames { list-style: none; margin: .3rem 0 .8rem; padding: 0; border-left: 2px solid var(--line); }
ol.frames summary { display: flex; gap: .6rem; cursor: pointer; padding: .1rem .5rem; }
ol.frames summary > * { flex: none; }
ol.frames summary > code { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
ol.frames details[open] summary > code { visibility: hidden; }
ol.frames time { color: var(--soft); min-width: 5.5rem; text-align: right; font-variant-numeric: tabular-nums; }
ol.frames .from { min-width: 3.6rem; color: var(--soft); }
ol.frames .from.judged { color: var(--ink); font-weight: 600; }
ol.frames pre { margin: .2rem .5rem .6rem; padding: .6rem .8rem; background: var(--panel); white-space: pre-wrap; max-height: 32rem; overflow: auto; }
.filter { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin: .5rem 0; }
.filter label { cursor: pointer; }
body:has(#show-failed:not(:checked)) .all .failed, body:has(#show-advice:not(:checked)) .all .advice,
body:has(#show-passed:not(:checked)) .all .passed, body:has(#show-not-exercised:not(:checked)) .all .not-exercised,
body:has(#show-not-observable:not(:checked)) .all .not-observable { display: none; }
.reasons li { margin-bottom: .5rem; } .reasons .ids { color: var(--soft); font-size: .9rem; }
footer { color: var(--soft); margin-top: 3rem; font-size: .9rem; }
@media (max-width: 40rem) { th, td { padding: .2rem; font-size: .85rem; } ol.frames summary { flex-wrap: wrap; gap: .1rem .6rem; } ol.frames summary > code { flex-basis: 100%; } details.verdict > div { margin-left: 0; }
  details.verdict > summary { grid-template-columns: 1.3rem 3.2rem 1fr; } details.verdict > summary > :last-child { grid-column: 1 / -1; } }
@media print { .filter { display: none; } body { max-width: none; } }
`;
