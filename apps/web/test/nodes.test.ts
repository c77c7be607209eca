import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { CutLine } from '../../../packages/cluster/test/nodes/cut-line.ts';
import { postgresPrograms, ThrowAwayPostgres } from '../../../packages/cluster/test/postgres/throw-away-postgres.ts';
import { startServer } from '../../cli/test/running-server.ts';
import { within } from '../../../tools/pace.ts';
import { begin, send, servedPage, unless, withoutBrowser } from './served-page.ts';
import { agentOf } from './showing-agent.ts';

const isSkipped = withoutBrowser || postgresPrograms === undefined;
const without = postgresPrograms === undefined ? ' (skipped without PostgreSQL)' : unless;

/** The lease in seconds. A server that cannot renew it in time, such as on a busy machine, ends. */
const lease = Math.ceil(within(2_000) / 1_000);
/** Completed once the database runs, before the server starts. */
const words = [
  ...agentOf(new URL('../../cli/test/fixtures/counting-agent.ts', import.meta.url)),
  ...['--lease', String(lease)],
];
beforeAll(async () => {
  if (isSkipped) return;
  const database = await ThrowAwayPostgres.start();
  await database.execute('CREATE SCHEMA pages');
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-cluster-'));
  const secret = join(folder, 'secret');
  await writeFile(secret, randomBytes(32).toString('hex'), { mode: 0o600 });
  words.push('--store', database.url('pages'), '--cluster-secret', secret);
  return async () => {
    await rm(folder, { recursive: true });
    await database[Symbol.asyncDispose]();
  };
});
const served = servedPage(words);

/** The numbers from 1 on in one text, as the agent sends them. */
const counted = (count: number): string => Array.from({ length: count }, (_, index) => `${index + 1}`).join('');

/** The agent's messages, turn by turn. */
async function said(page: Page): Promise<readonly string[]> {
  const texts = await page.locator('.agent').allInnerTexts();
  return texts.map((text) => text.trim());
}

test.skipIf(isSkipped)(
  `a page whose server is killed during a turn stays logged in, continues on another server, and misses nothing${without}`,
  async () => {
    const portOf = (url: string): number => Number(new URL(url).port);
    const balancer = await CutLine.to(portOf(served.server.url));
    const page = await served.open({}, `http://127.0.0.1:${balancer.port}`);
    await begin(page, '100000 40');
    await page.locator('.agent').getByText(counted(50), { exact: false }).waitFor();
    const other = await startServer(served.folder, ['--root', served.folder, ...words]);
    onTestFinished(() => void other.child.kill('SIGKILL'));
    balancer.target = portOf(other.url);
    await served.server.end('SIGKILL');
    await page.getByText('The turn was interrupted', { exact: false }).waitFor();
    await page.locator('.state.ready').waitFor();
    const [cut = ''] = await said(page);
    await send(page, '3 0');
    await page.locator('.state.ready').waitFor();
    await expect.poll(async () => (await said(page)).at(-1)).toBe('123');
    const shown = await page.locator('.rows').innerText();
    await page.reload();
    await expect.poll(async () => (await said(page)).at(-1)).toBe('123');
    // The messages are loaded in pages, last one first.
    await expect
      .poll(async () => ({
        isWhole: counted(100_000).startsWith(cut.replace(/\D[^]*$/, '')) && cut.startsWith(counted(50)),
        afterwards: await page.locator('.rows').innerText(),
        prompts: await page.locator('.user').allInnerTexts(),
      }))
      .toEqual({ isWhole: true, afterwards: shown, prompts: ['100000 40', '3 0'] });
  },
);
