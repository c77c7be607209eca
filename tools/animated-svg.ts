import type { Frame, Run } from './terminal-recording.ts';

/** The 16 colours, as on a dark background. */
const palette = [
  ...['#3b4048', '#ff7b72', '#7ee787', '#e3b341', '#79b8ff', '#d2a8ff', '#76e3ea', '#d5dae1'],
  ...['#8b949e', '#ffa198', '#a5f0b0', '#f2cc60', '#a5d0ff', '#e2c5ff', '#b3f0ff', '#ffffff'],
];

const cell = { width: 8.4, height: 18 };
const edge = { side: 14, top: 36, bottom: 14 };

/** Pictures of a terminal as one SVG that shows them in turn, in an endless loop. It needs no script; who wants no motion is shown the last one. */
export function animatedSvg(
  frames: readonly Frame[],
  { columns, rows, title }: { readonly columns: number; readonly rows: number; readonly title: string },
): string {
  const width = columns * cell.width + 2 * edge.side;
  const height = rows * cell.height + edge.top + edge.bottom;
  const lines = new Map<string, string>();
  const groups = frames.map(({ screen }, place) => {
    const used = screen.flatMap((line, row) => {
      const drawn = line.map(drawRun).join('');
      if (drawn === '') return [];
      if (!lines.has(drawn)) lines.set(drawn, `l${lines.size}`);
      return [`<use href="#${lines.get(drawn)}" y="${edge.top + row * cell.height}"/>`];
    });
    return `<g class="f" style="animation-name:f${place}">${used.join('')}</g>`;
  });
  const definitions = [...lines].map(([drawn, id]) => `<g id="${id}">${drawn}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" fill="#d5dae1" aria-label="${escaped(title)}">
<style>
text{font:14px ui-monospace,'Cascadia Mono','DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}
.f{visibility:hidden;animation-duration:${total(frames) / 1000}s;animation-timing-function:step-end;animation-iteration-count:infinite}
${keyframes(frames).join('\n')}
@media (prefers-reduced-motion:reduce){.f{animation:none}.f:last-of-type{visibility:visible}}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#14181d"/>
<circle cx="20" cy="18" r="5.5" fill="#ff5f57"/><circle cx="38" cy="18" r="5.5" fill="#febc2e"/><circle cx="56" cy="18" r="5.5" fill="#28c840"/>
<defs>
${definitions.join('\n')}
</defs>
${groups.join('\n')}
</svg>
`;
}

const total = (frames: readonly Frame[]): number => frames.reduce((sum, { shown }) => sum + shown, 0);

function keyframes(frames: readonly Frame[]): readonly string[] {
  const all = total(frames);
  const percent = (time: number): string => `${Number(((100 * time) / all).toFixed(3))}%`;
  let from = 0;
  return frames.map(({ shown }, place) => {
    const start = percent(from);
    from += shown;
    const before = place === 0 ? '' : '0%{visibility:hidden}';
    const after = from === all ? '' : `${percent(from)}{visibility:hidden}`;
    return `@keyframes f${place}{${before}${start}{visibility:visible}${after}}`;
  });
}

function drawRun({ column, width, text, colour, background, bold, dim, underlined }: Run): string {
  const x = Number((edge.side + column * cell.width).toFixed(1));
  const length = Number((width * cell.width).toFixed(1));
  const back =
    background === undefined
      ? ''
      : `<rect x="${x}" width="${length}" height="${cell.height}" fill="${named(background)}"/>`;
  if (text.trim() === '') return back;
  const looks = [
    colour === undefined ? '' : ` fill="${named(colour)}"`,
    bold ? ' font-weight="700"' : '',
    dim ? ' opacity=".65"' : '',
    underlined ? ' text-decoration="underline"' : '',
  ].join('');
  return `${back}<text x="${x}" y="13.5" textLength="${length}"${looks}>${escaped(text)}</text>`;
}

const named = (colour: string | number): string =>
  typeof colour === 'string' ? colour : (palette[colour] ?? '#d5dae1');

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
