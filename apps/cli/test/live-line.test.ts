import { expect, test, vi } from 'vitest';
import { LiveLine } from '../src/commands/check/live-line.ts';
import { stderr } from '../src/terminal/output.ts';

test('without a terminal the last status is printed at intervals', async () => {
  const printed: string[] = [];
  using _terminal = vi.spyOn(stderr, 'isTerminal', 'get').mockReturnValue(false);
  using _lines = vi.spyOn(stderr, 'printLine').mockImplementation((line) => void printed.push(line));
  using live = new LiveLine(1);
  live.show('0/2 scenarios');
  live.show('1/2 scenarios');
  await expect.poll(() => printed.length).toBeGreaterThan(1);
  live.show('1/2 scenarios · 1 broken');
  await expect.poll(() => printed.at(-1)).toBe('1/2 scenarios · 1 broken');
  expect([...new Set(printed)]).toEqual(['1/2 scenarios', '1/2 scenarios · 1 broken']);
});
