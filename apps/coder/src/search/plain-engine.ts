import { open, readdir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { isBinary, readWhole } from './file-content.ts';
import { binaryComplaint } from './file-engine.ts';
import type { FileEngine, FoundFile, Look, TextQuery } from './file-engine.ts';
import { GlobFilter } from './glob-filter.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { searchText } from './search-text.ts';
import { textMatcher } from './text-matcher.ts';

/** What is searched of a file at most. ripgrep knows no limit; without it a file is held in memory. */
const sizeLimit = 64 * 1024 * 1024;

/** Finds files without any other program. Slower than ripgrep by far, and the same for whoever asks. */
export const plainEngine: FileEngine = {
  async *files(look) {
    yield* walk(look, {
      folder: '',
      rules: await IgnoreRules.for(look.folder),
      filter: new GlobFilter(look.globs),
    });
  },
  async *matches(look, query) {
    const matcher = textMatcher(query);
    const files = look.file === undefined ? plainEngine.files(look) : [look.file];
    for await (const path of files) {
      const found = await searchFile({ path, look }, query, matcher);
      if (found) yield found;
    }
  },
};

interface Place {
  /** Relative to where the walk began, with slashes; empty there. */
  readonly folder: string;
  readonly rules: IgnoreRules;
  readonly filter: GlobFilter;
}

async function* walk(look: Look, { folder, rules, filter }: Place): AsyncGenerator<string, void> {
  look.signal.throwIfAborted();
  for (const entry of await entriesOf(look, folder)) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const absolute = join(look.folder, path);
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) {
      if (filter.admitsFolder(path) && !rules.leavesOut(absolute, true))
        yield* walk(look, { folder: path, rules: await rules.within(absolute), filter });
    } else if (entry.isFile()) {
      const verdict = filter.judgeFile(path);
      if (verdict === 'chosen' || (verdict === 'admitted' && !rules.leavesOut(absolute, false))) yield path;
    }
  }
}

async function entriesOf({ folder: root, tell }: Look, folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    return entries.toSorted((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)));
  } catch (error) {
    tell(`${folder === '' ? '.' : folder}: ${reasonOf(error)}`);
    return [];
  }
}

interface FileToSearch {
  readonly path: string;
  readonly look: Look;
}

async function searchFile(
  { path, look: { folder, signal, tell } }: FileToSearch,
  query: TextQuery,
  matcher: ReturnType<typeof textMatcher>,
): Promise<FoundFile | undefined> {
  signal.throwIfAborted();
  try {
    await using file = await open(join(folder, path));
    const { size } = await file.stat();
    if (await isBinary(file)) return undefined;
    if (size > sizeLimit) {
      tell(`${path}: ${size} bytes long, not searched without ripgrep`);
      return undefined;
    }
    const { text, hasNul } = await readWhole(file);
    const lines = await searchText(text, { query, matcher, signal });
    if (hasNul && lines.length > 0) tell(`${path}: ${binaryComplaint}`);
    return hasNul || lines.length === 0 ? undefined : { path, lines };
  } catch (error) {
    signal.throwIfAborted();
    // It vanished since its folder was read.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') tell(`${path}: ${reasonOf(error)}`);
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EACCES' ? 'Permission denied' : (code ?? message);
}
