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

/** Starts Chromium for tests: without a window, and with half of the processor time that it takes otherwise. */
export function launchBrowser(executablePath: string): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-background-networking', `--disable-features=${unused.join(',')}`];
  return chromium.launch({ executablePath, args });
}
