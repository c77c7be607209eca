import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { animatedSvg } from '../animated-svg.ts';
import { TerminalRecording } from '../terminal-recording.ts';

const plain = { bold: false, dim: false, underlined: false, colour: undefined, background: undefined };

/** A program that prints a question, shows each key, and answers in colours. */
const program = String.raw`
  process.stdout.write('name? ');
  process.stdin.setRawMode(true);
  process.stdin.on('data', (key) =>
    process.stdout.write(String(key) === '\r' ? '\r\n\x1b[1;32mgood\x1b[0m \x1b[48;5;196mday\x1b[0m & more' : key),
  );`;

async function recorded(): Promise<TerminalRecording['frames']> {
  using recording = new TerminalRecording([process.execPath, '-e', program], {
    columns: 20,
    rows: 2,
    cwd: tmpdir(),
    env: {},
  });
  await recording.show('name?', 1_000);
  await recording.type('Ada', 50);
  recording.press('\r');
  await recording.show('day', 2_000);
  return recording.frames;
}

test('a recording has a picture for each key and for each expected screen', async () => {
  const line = (text: string): object => ({ column: 0, width: 20, text: text.padEnd(20), ...plain });
  const answer = [
    { column: 0, width: 4, text: 'good', ...plain, bold: true, colour: 2 },
    { column: 5, width: 3, text: 'day', ...plain, background: '#ff0000' },
    { column: 8, width: 12, text: ' & more     ', ...plain },
  ];
  expect(await recorded()).toEqual([
    { screen: [[line('name? ')], []], shown: 1_000 },
    { screen: [[line('name? A')], []], shown: 50 },
    { screen: [[line('name? Ad')], []], shown: 50 },
    { screen: [[line('name? Ada')], []], shown: 50 },
    { screen: [[line('name? Ada')], answer], shown: 2_000 },
  ]);
});

test('the picture of a recording shows each screen for its time, and only the last one if the reader prefers reduced motion', () => {
  const screen = (text: string): object => [[{ column: 0, width: 2, text, ...plain }]];
  const frames = [
    { screen: screen('<1'), shown: 1_000 },
    { screen: screen('2'), shown: 3_000 },
  ] as TerminalRecording['frames'];
  const svg = animatedSvg(frames, { columns: 10, rows: 1, title: 'two screens' });
  expect({
    steps: svg.match(/@keyframes.*/g),
    takes: /animation-duration:(\S+?);/.exec(svg)?.[1],
    texts: svg.match(/<text.*?<\/text>/g),
    uses: svg.match(/<g class="f".*/g),
    still: svg.includes(
      '@media (prefers-reduced-motion:reduce){.f{animation:none}.f:last-of-type{visibility:visible}}',
    ),
  }).toEqual({
    steps: [
      '@keyframes f0{0%{visibility:visible}25%{visibility:hidden}}',
      '@keyframes f1{0%{visibility:hidden}25%{visibility:visible}}',
    ],
    takes: '4s',
    texts: ['<text x="14" y="13.5" textLength="16.8">&lt;1</text>', '<text x="14" y="13.5" textLength="16.8">2</text>'],
    uses: [
      '<g class="f" style="animation-name:f0"><use href="#l0" y="36"/></g>',
      '<g class="f" style="animation-name:f1"><use href="#l1" y="36"/></g>',
    ],
    still: true,
  });
});
