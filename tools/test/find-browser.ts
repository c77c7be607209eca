import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The complete Chromium, as people use it. */
const wholeBrowsers = ['chromium', 'chromium-browser', 'google-chrome'];

/** The path of the complete Chromium on Linux; undefined if it is not installed. */
export function findBrowser(): string | undefined {
  return findFirst(wholeBrowsers);
}

/** The path of Chromium without the parts of its windows if that is installed, because it takes half of the processor time. */
export function findBrowserForTests(): string | undefined {
  return findFirst(['chromium-headless-shell', ...wholeBrowsers]);
}

/** A suffix for the names of tests that are skipped without a browser. */
export function noBrowser(found: string | undefined): string {
  return found === undefined ? ' (skipped: no Chromium on this machine; apt-get install chromium)' : '';
}

function findFirst(names: readonly string[]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
