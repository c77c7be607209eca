import xterm from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LiveScreen } from '../../src/interactive/live-screen.ts';
import type { Frame } from '../../src/terminal/frame.ts';

const size = { columns: 20, rows: 8 };

/** What a terminal shows of the frames: every line it remembers. */
async function shown(frames: readonly Frame[]): Promise<string[]> {
  const terminal = new xterm.Terminal({
    cols: size.columns,
    rows: size.rows,
    scrollback: 10_000,
    allowProposedApi: true,
  });
  for (const { text } of frames) await new Promise<void>((resolve) => terminal.write(text, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) =>
    (active.getLine(row)?.translateToString(true) ?? '').trimEnd(),
  );
  while (lines.at(-1) === '') lines.pop();
  terminal.dispose();
  return lines;
}

const line = fc
  .string({ unit: fc.constantFrom('a', 'b', '日', ' ', 'é'), minLength: 1, maxLength: 9 })
  .map((text) => `${text}.`);
const frame = fc.record({
  committed: fc.array(line, { maxLength: 4 }),
  live: fc.array(line, { maxLength: 6 }),
  cursor: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
});

test('after random draws the terminal shows committed lines once and in order, followed by the last live lines', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 12 }), async (frames) => {
      const screen = new LiveScreen(size);
      const drawn = frames.map(({ committed, live, cursor }) => {
        const row = cursor === undefined || live.length === 0 ? undefined : Math.min(cursor, live.length - 1);
        return screen.draw(committed, { lines: live, cursor: row === undefined ? undefined : { row, column: 1 } });
      });
      const expected = [...frames.flatMap(({ committed }) => committed), ...(frames.at(-1)?.live ?? [])];
      expect(await shown(drawn)).toEqual(expected.map((text) => text.trimEnd()));
    }),
    { numRuns: 60 },
  );
});

test('a frame without a change writes nothing', () => {
  const screen = new LiveScreen(size);
  const live = { lines: ['a', 'b'], cursor: { row: 1, column: 1 } };
  screen.draw([], live);
  expect(screen.draw([], { lines: ['a', 'b'], cursor: { row: 1, column: 1 } }).text).toBe('');
});

test('only lines from the first difference on are written', () => {
  const screen = new LiveScreen(size);
  screen.draw([], { lines: ['one', 'two', 'three'] });
  expect(screen.draw([], { lines: ['one', 'two', 'four'] }).text).not.toMatch(/one|two/);
});

test('the live lines can be removed', async () => {
  const screen = new LiveScreen(size);
  expect(await shown([screen.draw(['kept'], { lines: ['a', 'b'] }), screen.clear()])).toEqual(['kept']);
});
