import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { begin, send, servedPage, unless, withoutBrowser } from './served-page.ts';

const program = fileURLToPath(
  new URL('../../../packages/runtime/test/faults/fixtures/faulty-agent.mjs', import.meta.url),
);
const served = servedPage(['--agent', `'${process.execPath}' '${program}' noise=lines stray twice=session/prompt`]);

/** Rejects all questions until the turn is over. */
async function refuseAll(page: Page): Promise<void> {
  const refusal = page
    .locator('.question')
    .getByRole('button', { name: /Reject|Decline/ })
    .first();
  await expect
    .poll(
      async () => {
        // A question may end before the click.
        if (await refusal.isVisible()) await refusal.click({ timeout: within(2_000) }).catch(() => undefined);
        return page.locator('.state').textContent();
      },
      { timeout: within(30_000) },
    )
    .toBe('Ready');
}

const faults = [
  ['ends in the middle of a turn', 'die'],
  ['ends in the middle of a frame', 'torn'],
  ['goes on after its answer', 'late'],
  ['speaks of sessions that are none', 'elsewhere'],
  ['prints what is no frame', 'raw {"jsonrpc":"2.0","method":\\n[1,2\\nnull'],
  ['nests without end', 'deep 5000'],
  ['sends updates without content', 'update {"sessionUpdate":"agent_message_chunk"}'],
  ['asks many things at once', 'permissions 12'],
  ['has control characters in every text', 'evil'],
] as const;

for (const [what, prompt] of faults)
  test.skipIf(withoutBrowser)(`a page continues to work with an agent that ${what}${unless}`, async () => {
    const page = await served.open();
    // Rows beyond the screen are not drawn.
    await page.setViewportSize({ width: 1_280, height: 8_000 });
    await begin(page, 'say hello');
    await page.locator('.state.ready').waitFor();
    await send(page, prompt);
    // The agent may have sent user messages since then.
    await page.locator('.user').getByText(prompt).first().waitFor();
    await refuseAll(page);
    await send(page, 'say still here');
    await page.locator('.agent').getByText('still here').waitFor();
    await refuseAll(page);
    expect(served.errors).toEqual([]);
  });
