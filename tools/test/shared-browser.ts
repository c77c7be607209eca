import { type Browser, chromium } from 'playwright-core';

/**
 * What a browser that nobody looks at can do without. What it proposes under its address line are pages, too: each window would start a
 * process for them. Playwright's own words for the same option do not count beside these, so what it does without is here again.
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
 * Chromium for tests: without a window, and with half of the processor time that it takes otherwise. All test files of a process have the
 * same one, which ends with the process. A test closes the contexts that it opens, and has nothing to do with those of others.
 */
export function sharedBrowser(executablePath: string): Promise<Browser> {
  const browser = running.get(executablePath) ?? chromium.launch({ executablePath, args });
  running.set(executablePath, browser);
  return browser;
}
