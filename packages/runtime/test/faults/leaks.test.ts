import { expect, test } from 'vitest';
import { firstLine, fromSources, gone } from '../../../client/test/launch/launcher.ts';

test('after faults no descriptor, listener, timer, process or warning is left, and the process ends by itself', async () => {
  const child = fromSources('../../../runtime/test/faults/fixtures/leaking-client.ts');
  const { before, after, warnings } = (await firstLine(child)) as {
    readonly before: { readonly children: number };
    readonly after: unknown;
    readonly warnings: unknown;
  };
  await gone(child);
  expect({ after, warnings, children: before.children, exitCode: child.exitCode }).toEqual({
    after: before,
    warnings: [],
    // The watchdog, which ends with this process.
    children: 1,
    exitCode: 0,
  });
});
