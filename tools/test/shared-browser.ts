import { type Browser, chromium } from 'playwright-core';
import { within } from '../pace.ts';

/**
 * Features that tests do not need. The suggestions under the address bar are pages, too: each window would start a process for them. This
 * option replaces the one that Playwright sets, so the list repeats Playwright's features.
 */
const unused = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'PreloadTopChromeWebUI',
  'SpareRendererForSitePerProcess',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

const args = ['--no-sandbox', '--disable-background-networking', `--disable-features=${unused.join(',')}`];

const running = new Map<string, Promise<Browser>>();

/**
 * Chromium for tests, without a window, which takes half of the usual processor time. All test files of a process share it, and it ends
 * with the process. A test closes the contexts that it opens, and does not touch others.
 */
export function sharedBrowser(executablePath: string): Promise<Browser> {
  const browser = running.get(executablePath) ?? chromium.launch({ executablePath, args, timeout: within(30_000) });
  running.set(executablePath, browser);
  return browser;
}
