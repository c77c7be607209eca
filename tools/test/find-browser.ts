import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Chromium with all that belongs to its windows: what people use. */
const wholeBrowsers = ['chromium', 'chromium-browser', 'google-chrome'];

/** Chromium in the places where Linux keeps it, as people use it. */
export function findBrowser(): string | undefined {
  return findFirst(wholeBrowsers);
}

/** The same engine, without the parts that only a window needs if it is installed so: it takes half of the processor time. */
export function findBrowserForTests(): string | undefined {
  return findFirst(['chromium-headless-shell', ...wholeBrowsers]);
}

/** For the name of a test that is skipped without it. */
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
