import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const served = servedPage(showingAgent());

interface UsageRequest {
  readonly id: number | string;
  readonly method: string;
  readonly params: { readonly by: string; readonly days?: number };
}

/** Holds the answers to requests for usage by agent. */
async function holdUsageByAgent(
  page: Page,
): Promise<{ readonly asked: readonly UsageRequest['params'][]; readonly release: () => void }> {
  const asked: UsageRequest['params'][] = [];
  const ids = new Set<unknown>();
  const held: (() => void)[] = [];
  await page.routeWebSocket(/\/acp$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((frame) => {
      const { id, method, params } = JSON.parse(String(frame)) as UsageRequest;
      if (method === '_turnwire/usage') asked.push(params);
      if (method === '_turnwire/usage' && params.by === 'agent') ids.add(id);
      server.send(frame);
    });
    server.onMessage((frame) => {
      const { id, result } = JSON.parse(String(frame)) as { readonly id?: unknown; readonly result?: object };
      if (result && ids.has(id)) held.push(() => socket.send(frame));
      else socket.send(frame);
    });
  });
  return {
    asked,
    release: () => {
      for (const send of held.splice(0)) send();
    },
  };
}

test.skipIf(withoutBrowser)(
  `of several choices the last one is shown, and the header of the table always fits its rows${unless}`,
  async () => {
    const page = await served.open();
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    const { asked, release } = await holdUsageByAgent(page);
    await page.reload();
    await begin(page, 'usage');
    await page.locator('.state.ready').waitFor();
    await page.getByRole('button', { name: 'Usage', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Usage' });
    const [header, row] = ['thead th', 'tbody th'].map((part) => dialog.locator(part).first()) as [
      ReturnType<Page['locator']>,
      ReturnType<Page['locator']>,
    ];
    const shown = async (): Promise<unknown> => [await header.innerText(), await row.innerText()];
    await header.waitFor();
    const atFirst = await shown();
    await dialog.getByLabel('By').selectOption('agent');
    await expect.poll(() => asked.length).toBe(2);
    const whileHeld = await shown();
    await dialog.getByRole('combobox').nth(1).selectOption('today');
    await dialog.getByLabel('By').selectOption('folder');
    await dialog.getByRole('columnheader', { name: 'folder' }).waitFor();
    release();
    // The page has received the answers, and drawn what they changed.
    await page.evaluate('new Promise((drawn) => setTimeout(() => requestAnimationFrame(() => setTimeout(drawn)), 50))');
    expect({ atFirst, whileHeld, atLast: await shown(), asked, errors: served.errors }).toEqual({
      atFirst: ['day', expect.stringMatching(/^\d{4}-\d\d-\d\d$/)],
      whileHeld: atFirst,
      atLast: ['folder', served.folder],
      asked: [
        { by: 'day', days: 30 },
        { by: 'agent', days: 30 },
        { by: 'agent', days: 1 },
        { by: 'folder', days: 1 },
      ],
      errors: [],
    });
  },
);
