import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the files of the web client are: beside the program, or where it is built. */
export function pageFolder(): string {
  const [beside, built] = ['./page/', '../../../dist/page/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return existsSync(beside as string) ? (beside as string) : (built as string);
}
