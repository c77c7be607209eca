import {
  asSentence,
  type Block,
  type CallBlock,
  type ChildBlock,
  callText,
  entryBlock,
  messageText,
  noticeText,
  type PlanBlock,
  type SessionDocument,
  type SessionMessageBlock,
  type TurnEndBlock,
} from '@turnwire/client/view';
import { cleanLine, cleanText } from '../../terminal/clean-text.ts';
import { diffLines } from '../../terminal/diff-lines.ts';
import { plain } from '../../terminal/paint.ts';
import { escaped, markdownHtml } from './html-markdown.ts';

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --good: #1a7f37; --bad: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #f85149; } }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; } .heading { font-weight: 700; }
h2 { font-size: 1rem; font-weight: 400; white-space: pre-wrap; background: var(--soft); border-left: 4px solid var(--line); padding: .6rem .8rem; margin: 2rem 0 1rem; }
pre, code { font: 13px/1.45 ui-monospace, monospace; } pre { overflow-x: auto; background: var(--soft); padding: .6rem .8rem; border-radius: 6px; }
table { border-collapse: collapse; } td, th { border: 1px solid var(--line); padding: .2rem .6rem; text-align: left; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; opacity: .8; } dd { margin: 0; }
details { margin: .5rem 0; } summary { cursor: pointer; } .note { opacity: .75; } .failed { color: var(--bad); }
ins { color: var(--good); text-decoration: none; } del.line { color: var(--bad); text-decoration: none; }
`;

/** A session as one self-contained HTML page without scripts. */
export function htmlDocument({ title, facts, view }: SessionDocument): string {
  const name = escaped(cleanLine(title));
  const rows = Object.entries(facts).map(
    ([key, value]) => `<dt>${escaped(key)}</dt><dd>${escaped(cleanLine(value))}</dd>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>${name}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${name}</h1>
<dl>${rows.join('')}</dl>
${[...view.entries].map((entry) => blockHtml(entryBlock(entry, view.terminals))).join('')}</main>
</body>
</html>
`;
}

function blockHtml(block: Block): string {
  switch (block.type) {
    case 'prompt':
      return `<h2>${escaped(messageText(block).trim())}</h2>\n`;
    case 'message':
      return markdownHtml(messageText(block).trim());
    case 'thought':
      return `<details class="note"><summary>Thought</summary>${markdownHtml(messageText(block).trim())}</details>\n`;
    case 'call':
      return callHtml(block);
    case 'plan':
      return planHtml(block);
    case 'notice':
      return note(noticeText(block));
    case 'boundary':
      return note(block.text);
    case 'turn-end':
      return turnEndHtml(block);
    case 'unknown':
      return '';
    default:
      return otherSessionHtml(block);
  }
}

function otherSessionHtml(block: ChildBlock | SessionMessageBlock): string {
  if (block.type === 'child-session') return childHtml(block);
  const heading = escaped(asSentence(cleanLine(block.heading)));
  return `<blockquote><p class="note">${heading}</p>\n${markdownHtml(messageText(block).trim())}</blockquote>\n`;
}

function planHtml({ steps, text }: PlanBlock): string {
  if (text !== undefined) return markdownHtml(cleanText(text).trim());
  return `<ul>${steps
    .map(({ content, status }) => `<li>${status === 'completed' ? '☑' : '☐'} ${escaped(cleanLine(content))}</li>`)
    .join('')}</ul>\n`;
}

/** A child session, folded. */
function childHtml({ title, stateText, transcript, isFailure }: ChildBlock): string {
  const head = `${escaped(cleanLine(title))} (${escaped(cleanLine(stateText))})`;
  const body = [...transcript.entries].map((entry) => blockHtml(entryBlock(entry, transcript.terminals))).join('');
  return `<details><summary${isFailure ? ' class="failed"' : ''}>${head}</summary>\n${body}</details>\n`;
}

function turnEndHtml({ text, isFailure }: TurnEndBlock): string {
  if (text === undefined) return '';
  return isFailure ? `<p class="failed">${escaped(cleanText(text))}</p>\n` : note(asSentence(text));
}

function callHtml(block: CallBlock): string {
  const { mark, title, command, end, changes, output } = callText(block);
  const { diffs } = block;
  const head = `${mark} ${escaped(title)}${end === undefined ? '' : ` (${escaped(end)})`}`;
  const body = [
    ...(command === undefined ? [] : [`<pre>${escaped(command)}</pre>`]),
    ...diffs.map((diff) => `<pre>${diffLines(diff, plain).map(diffLine).join('\n')}</pre>`),
    ...(changes === '' ? [] : [`<p>${escaped(changes).replaceAll('\n', '<br>')}</p>`]),
    ...(output === '' ? [] : [`<pre>${escaped(output)}</pre>`]),
  ].join('\n');
  const state = mark === '✗' ? ' class="failed"' : '';
  if (body === '') return `<p${state}>${head}</p>\n`;
  return `<details${diffs.length > 0 ? ' open' : ''}><summary${state}>${head}</summary>\n${body}\n</details>\n`;
}

function diffLine(line: string): string {
  const text = escaped(line);
  if (/^\+(?!\+\+ )/.test(line)) return `<ins>${text}</ins>`;
  return /^-(?!-- )/.test(line) ? `<del class="line">${text}</del>` : text;
}

function note(text: string): string {
  return `<p class="note">${escaped(cleanLine(text))}</p>\n`;
}
