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

/** Full Chromium, which supports notifications, in contrast to its headless shell. */
export const wholeBrowser: string | undefined = findBrowser();

/** Whether no browser is installed, and the suffix for the names of skipped tests. */
export const withoutBrowser: boolean = usual === undefined;
export const unless: string = noBrowser(usual);

/** A server with a browser, for the tests of a file. */
export interface ServedPage {
  /** The folder in which the sessions work. */
  readonly folder: string;
  readonly server: RunningServer;
  /** The errors of all pages, including violations of the content security policy. */
  readonly errors: readonly string[];
  /** Opens the page, logged in, optionally at another address. Closed with the test. */
  open(options?: BrowserContextOptions, url?: string): Promise<Page>;
  /** Opens an address in a browser without any data of the server. Closed with the test. */
  visit(address: string): Promise<Page>;
  /** Another window of the same browser, at the address of a page. */
  another(page: Page): Promise<Page>;
}

/**
 * Starts `turnwire serve` and a browser before the tests of a file, and ends them afterwards.
 * @param words further arguments of `serve`
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
  context.setDefaultTimeout(within(15_000));
  const page = await context.newPage();
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return page;
}

/** Begins a session, optionally with a prompt. */
export async function begin(page: Page, prompt?: string): Promise<void> {
  await page.getByRole('button', { name: 'Begin' }).click();
  if (prompt === undefined) return;
  await send(page, prompt);
  // Without a prompt in the log, the state `ready` would prove nothing.
  await page.locator('.user').first().waitFor();
}

/** The editor. */
export function editor(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Prompt' });
}

/** Types a prompt and sends it. */
export async function send(page: Page, text: string): Promise<void> {
  await editor(page).fill(text);
  // On a touch screen Enter alone starts a new line.
  await editor(page).press('Control+Enter');
}
