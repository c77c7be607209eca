import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from '@turnwire/machine';
import { isBinary, readWhole } from './file-content.ts';
import { binaryWarning } from './file-engine.ts';
import type { FileEngine, FoundFile, SearchScope, TextQuery } from './file-engine.ts';
import { searchText } from './search-text.ts';
import type { TextMatcher } from './text-matcher.ts';

/** The largest file that is searched, in bytes. ripgrep has no limit; this engine holds a file in memory. */
const sizeLimit = 64 * 1024 * 1024;

/** Searches without another program. Far slower than ripgrep, with the same results. */
export const plainEngine: FileEngine = {
  async *matches(scope, query) {
    // The regular expressions are large, and ripgrep has its own.
    const { textMatcher } = await import('./text-matcher.ts');
    const matcher = textMatcher(query);
    const files = scope.file === undefined ? listFiles(scope) : [scope.file];
    for await (const path of files) {
      const found = await searchFile({ path, scope }, query, matcher);
      if (found) yield found;
    }
  },
};

async function searchFile(
  { path, scope: { folder, signal, report } }: { readonly path: string; readonly scope: SearchScope },
  query: TextQuery,
  matcher: TextMatcher,
): Promise<FoundFile | undefined> {
  signal.throwIfAborted();
  try {
    await using file = await open(join(folder, path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const { size } = await file.stat();
    if (await isBinary(file)) return undefined;
    if (size > sizeLimit) {
      report(`${path}: ${size} bytes long, not searched without ripgrep`);
      return undefined;
    }
    const { text, hasNul } = await readWhole(file);
    const lines = await searchText(text, { query, matcher, signal });
    if (hasNul && lines.length > 0) report(`${path}: ${binaryWarning}`);
    return hasNul || lines.length === 0 ? undefined : { path, lines };
  } catch (error) {
    signal.throwIfAborted();
    // The file was deleted after its folder was read.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') report(`${path}: ${reasonOf(error)}`);
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EACCES' ? 'Permission denied' : (code ?? message);
}
