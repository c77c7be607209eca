import { expect, test } from 'vitest';
import { firstLine, fromSources, gone } from './launcher.ts';

test('thirty agents and terminals leave no descriptor, listener, timer or process behind', async () => {
  const child = fromSources('leak-count.ts', '30');
  const { before, after } = (await firstLine(child)) as { before: { children: number }; after: unknown };
  await gone(child);
  expect({ after, exitCode: child.exitCode }).toEqual({ after: before, exitCode: 0 });
  // The watchdog, which ends with this process.
  expect(before.children).toBe(1);
});
