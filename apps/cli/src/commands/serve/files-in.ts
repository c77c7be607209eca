import { isInside, realPath } from '@turnwire/machine';
import { offeredFiles } from '../../interactive/completion/file-list.ts';

/** How long a listing stays current, in milliseconds. A user who types requests it with each key. */
const freshness = 10_000;

/** Returns a function that lists the files of a folder within the roots. It rejects for any other folder. */
export function filesIn(roots: readonly string[]): (folder: string) => Promise<readonly string[]> {
  const real = roots.map((root) => realPath(root) ?? root);
  let last: { readonly folder: string; readonly until: number; readonly files: Promise<readonly string[]> } | undefined;
  return async (folder) => {
    const resolved = realPath(folder);
    if (resolved === undefined || !real.some((root) => isInside(root, resolved)))
      throw new Error(`${folder} is in none of the folders`);
    if (last?.folder !== resolved || last.until < Date.now())
      last = { folder: resolved, until: Date.now() + freshness, files: offeredFiles(resolved) };
    return last.files;
  };
}
