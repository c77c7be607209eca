import { isInside, realPath } from '@turnwire/machine';
import { offeredFiles } from '../../interactive/completion/file-list.ts';

/** How long a listing counts as current, in milliseconds: somebody who types asks again and again. */
const freshness = 10_000;

/** Lists the files of folders that are in others. Rejects for a folder that is not. */
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
