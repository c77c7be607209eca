import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginChat, keys } from './emulator.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-common-')));
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

test('/compact, /cost and /init work with an agent that lacks these commands', async () => {
  const run = await beginChat(folder, { columns: 120 });
  run.type(`/compact${keys.enter}`);
  await run.until('this agent has no /compact');
  run.type(`say hello${keys.enter}`);
  await run.until('\nhello\n');
  const usage = { sessionUpdate: 'usage_update', used: 500, size: 2000 };
  run.type(`update ${JSON.stringify(usage)}${keys.enter}`);
  await run.until('25% of 2k');
  run.type(`/cost${keys.enter}`);
  const costs = await run.until('turnwire usage shows more.');
  run.type(`/init how to test${keys.enter}`);
  const asked = await run.until('heard Write AGENTS.md');
  expect({
    costs: costs.filter((line) => /^(?:context|session) /.test(line)),
    asked: asked.join(' ').includes('Pay attention to this: how to test'),
  }).toEqual({
    costs: [
      'context     25 % of 2,000 tokens',
      expect.stringMatching(/^session {5}\d+ turns?, [\d.]+ \w+, tokens: unknown, cost: unknown$/),
    ],
    asked: true,
  });
});
