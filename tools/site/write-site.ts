import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../run.mjs';
import type { Site } from './site.ts';

const assets = join(root, 'tools/site/assets');

/** Writes a site to a folder, of which nothing else is left. */
export function writeSite({ files, pictures }: Site, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [url, text] of files) {
    mkdirSync(dirname(join(folder, url)), { recursive: true });
    writeFileSync(join(folder, url), text);
  }
  for (const [url, picture] of pictures) cpSync(join(root, picture), join(folder, url));
  for (const name of readdirSync(assets)) cpSync(join(assets, name), join(folder, 'assets', name));
}
