import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Chromium in the places where Linux keeps it. */
export function findBrowser(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** For the name of a test that is skipped without it. */
export function noBrowser(found: string | undefined): string {
  return found === undefined ? ' (skipped: no Chromium on this machine; apt-get install chromium)' : '';
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
