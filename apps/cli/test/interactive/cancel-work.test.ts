import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inEmulator, keys } from './emulator.ts';

const agent = fileURLToPath(new URL('../../../../packages/client/test/v2/official-agent.mjs', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-cancel-')));
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

test('/cancel offers the child session, the terminal and the call that an agent of version 2 runs, and cancels each', async () => {
  const run = inEmulator(['--protocol', '2', '--agent', `${process.execPath} ${agent}`, '--cwd', folder], {});
  await run.until('type a prompt');
  run.type(`background${keys.enter}`);
  await run.until('running in the background: npm run dev, Build it');
  await run.until('◇ Reviewer (running');
  const offered: unknown[] = [];
  for (const left of ['npm run dev, Build it', 'Build it', undefined]) {
    run.type(`/cancel${keys.enter}`);
    const screen = await run.until('Esc goes back');
    offered.push(screen.flatMap((line) => /^[❯ ] (.*\S) +(?:child session|terminal|tool call)$/.exec(line)?.[1] ?? []));
    run.type(keys.enter);
    await run.until((now) =>
      left === undefined
        ? !now.some((line) => line.includes('running in the background'))
        : now.some((line) => line.startsWith(`running in the background: ${left}`)) &&
          !now.some((line) => line.startsWith('Subagents:')),
    );
  }
  run.type(`/cancel${keys.enter}`);
  await run.until('nothing runs that the agent can cancel separately');
  run.type(`/children${keys.enter}`);
  await run.until('◇ Reviewer (cancelled)');
  expect(offered).toEqual([['Reviewer', 'npm run dev', 'Build it'], ['npm run dev', 'Build it'], ['Build it']]);
});
