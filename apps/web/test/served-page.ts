import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type RunningServer, startServer } from '../../cli/test/running-server.ts';
import { findBrowser, findBrowserForTests, noBrowser } from '../../../tools/test/find-browser.ts';
import { sharedBrowser } from '../../../tools/test/shared-browser.ts';
import { within } from '../../../tools/pace.ts';

const usual = findBrowserForTests();

/** Chromium as people use it: with notifications, which it lacks without windows. */
export const wholeBrowser: string | undefined = findBrowser();

/** Whether there is no browser, and what to say of it in the name of a test. */
export const withoutBrowser: boolean = usual === undefined;
export const unless: string = noBrowser(usual);

/** A server with a browser, for the tests of a file. */
export interface ServedPage {
  /** The folder in which the sessions work. */
  readonly folder: string;
  readonly server: RunningServer;
  /** What went wrong in any page: errors, and what the policy of the page refused. */
  readonly errors: readonly string[];
  /** Opens the page, logged in, by way of another address if one is given; closed with the test. */
  open(options?: BrowserContextOptions, url?: string): Promise<Page>;
  /** Opens an address in a browser that knows nothing of the server; closed with the test. */
  visit(address: string): Promise<Page>;
  /** Another window of the same browser, at the address of a page. */
  another(page: Page): Promise<Page>;
}

/**
 * Starts `turnwire serve` and a browser before the tests of a file, and ends them afterwards.
 * @param words further words for `serve`
 * @param executablePath the browser
 */
export function servedPage(words: readonly string[] = [], executablePath: string | undefined = usual): ServedPage {
  const errors: string[] = [];
  let [folder, server, browser] = [] as unknown as [string, RunningServer, Browser];
  beforeAll(async () => {
    if (executablePath === undefined) return;
    folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-web-')));
    await writeFile(join(folder, 'notes.txt'), 'alpha\nbeta\nTODO gamma\n');
    [server, browser] = await Promise.all([
      startServer(folder, ['--root', folder, ...words]),
      sharedBrowser(executablePath),
    ]);
    return () => server.end('SIGKILL');
  });
  afterAll(() => folder && rm(folder, { recursive: true, maxRetries: 5 }));
  const address = async (url: string): Promise<string> => {
    const { token } = server;
    const answer = await fetch(`${url}/tickets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ origin: new URL(url).origin }),
    });
    const { ticket } = (await answer.json()) as { readonly ticket: string };
    return `${url}/#ticket=${ticket}`;
  };
  return {
    get folder() {
      return folder;
    },
    get server() {
      return server;
    },
    errors,
    another: async (page) => {
      const other = await openIn(page.context(), errors);
      await other.goto(page.url());
      return other;
    },
    visit: async (url) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      onTestFinished(() => context.close());
      const page = await openIn(context, errors);
      await page.goto(url);
      return page;
    },
    open: async (options, url = server.url) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      onTestFinished(() => context.close());
      const page = await openIn(context, errors);
      await page.goto(await address(url));
      return page;
    },
  };
}

/** Another window of a context. */
async function openIn(context: BrowserContext, errors: string[]): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(within(10_000));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return page;
}

/** Begins a session, and sends a prompt if there is one. */
export async function begin(page: Page, prompt?: string): Promise<void> {
  await page.getByRole('button', { name: 'Begin' }).click();
  if (prompt === undefined) return;
  await send(page, prompt);
  // Before it the session is ready, too.
  await page.locator('.user').first().waitFor();
}

/** The editor. */
export function editor(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Prompt' });
}

/** Types a prompt and sends it. */
export async function send(page: Page, text: string): Promise<void> {
  await editor(page).fill(text);
  // On a touch screen Enter alone begins a new line.
  await editor(page).press('Control+Enter');
}
