import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder with the files of the web client: next to the program, or in the build output. */
export function pageFolder(): string {
  const [packaged, built] = ['./page/', '../../../dist/page/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return existsSync(packaged as string) ? (packaged as string) : (built as string);
}
