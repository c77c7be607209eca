import { existsSync, mkdtempSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { begin, servedPage, unless, withoutBrowser } from './served-page.ts';
import { showingAgent } from './showing-agent.ts';

const started = join(mkdtempSync(join(tmpdir(), 'turnwire-connections-')), 'started');
const [option = '', words = ''] = showingAgent();
const second = `sh -c ': > ${started}; exec ${words.replaceAll("'", '')}'`;
const served = servedPage([option, words, option, second]);

test.skipIf(withoutBrowser)(
  `only the first choice of agent is started until the user chooses another one${unless}`,
  async () => {
    const page = await served.open();
    await page.getByText('No sessions yet').waitFor();
    const before = existsSync(started);
    await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption({ index: 1 });
    await begin(page, 'from the second');
    await page.locator('.state.ready').waitFor();
    expect([before, existsSync(started)]).toEqual([false, true]);
  },
);

test.skipIf(withoutBrowser)(
  `a browser that loses its network shows at once that it is offline, and reconnects later${unless}`,
  async () => {
    const page = await served.open();
    await begin(page, 'before');
    await page.locator('.state.ready').waitFor();
    await page.context().setOffline(true);
    await page.getByText('Offline. Connect now').waitFor();
    await page.context().setOffline(false);
    await page.locator('.state.ready').waitFor();
    expect(await page.locator('.user').allInnerTexts()).toEqual(['before']);
  },
);

test.skipIf(withoutBrowser)(
  `a connection lost during a turn is retried at growing intervals while the server is away${unless}`,
  async () => {
    const page = await served.open();
    await page.clock.install();
    await begin(page, 'wait');
    await page.locator('.state.working').waitFor();
    await page.context().setOffline(true);
    await page.getByText('Offline. Connect now').waitFor();
    let attempts = 0;
    page.on('websocket', () => attempts++);
    // Attempts fail in real time.
    for (let second = 0; second < 60; second++) {
      await page.clock.runFor(1_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(attempts).toBeLessThan(10);
  },
);

/** A proxy to the server that can stop all traffic, like a frozen network. Resolves with its address. */
async function freezing(): Promise<{ readonly url: string; readonly freeze: () => void }> {
  const open = new Set<Socket>();
  const relay = createServer((socket) => {
    const far = connect(Number(new URL(served.server.url).port), '127.0.0.1');
    for (const end of [socket, far]) {
      open.add(end);
      end.on('error', () => undefined);
    }
    socket.pipe(far).pipe(socket);
  });
  await new Promise<void>((resolve) => void relay.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const each of open) each.destroy();
    relay.close();
  });
  const freeze = (): void => {
    for (const each of open) each.unpipe();
    relay.removeAllListeners('connection');
  };
  return { url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`, freeze };
}

test.skipIf(withoutBrowser)(`a network that stalls during a turn is noticed after 20 seconds${unless}`, async () => {
  const { url, freeze } = await freezing();
  const page = await served.open({}, url);
  await page.clock.install();
  await begin(page, 'wait');
  await page.locator('.state.working').waitFor();
  freeze();
  await page.clock.runFor(15_000);
  await page.clock.runFor(5_500);
  await page.locator('.state.off').waitFor();
  expect(await page.locator('.state').innerText()).not.toBe('Working');
});
