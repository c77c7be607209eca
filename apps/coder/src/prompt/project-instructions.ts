import { realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { readTextFile } from '../workspace/text-file.ts';

/** The names in order of precedence: of each folder only the first existing file is read. */
const names = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md', 'GEMINI.md'];

/** Limits of one file, and of all of them, in UTF-16 units. */
const longest = 32 * 1024;
const longestTogether = 64 * 1024;

/** Instructions for agents in one file. */
export interface Instructions {
  /** Its path for users: relative to the working directory if it is inside. */
  readonly shown: string;
  readonly text: string;
}

/** Where to look for instructions. */
export interface InstructionSources {
  /** Absolute working directory, links resolved. */
  readonly cwd: string;
  /** The repository it is in. Undefined: none, so that only the working directory is searched. */
  readonly root: string | undefined;
  /** The folder of the user's instructions for all projects. */
  readonly personal: string;
  /** Why a file may not be read; undefined if it may. */
  readonly forbids: (path: string) => string | undefined;
}

/**
 * Reads the instructions of the user and of the project: the user's own file first, then those from the repository's
 * root down to the working directory, so that the closest comes last. Unreadable files are left out.
 */
export async function readInstructions({
  cwd,
  root,
  personal,
  forbids,
}: InstructionSources): Promise<readonly Instructions[]> {
  const top = root ?? cwd;
  // The user's own instructions are not subject to rules about the agent.
  const own = await readIn(personal, { top: undefined, cwd, forbids: () => undefined, candidates: ['AGENTS.md'] });
  const found: Instructions[] = own ? [own] : [];
  for (const folder of foldersBetween(top, cwd)) {
    const instructions = await readIn(folder, { top, cwd, forbids, candidates: names });
    if (instructions) found.push(instructions);
  }
  return withinLimit(found);
}

interface InstructionQuery extends Pick<InstructionSources, 'cwd' | 'forbids'> {
  /** The folder links must not lead out of. Undefined: the user's own file may be anywhere. */
  readonly top: string | undefined;
  readonly candidates: readonly string[];
}

async function readIn(
  folder: string,
  { top, cwd, forbids, candidates }: InstructionQuery,
): Promise<Instructions | undefined> {
  for (const name of candidates) {
    const path = join(folder, name);
    const real = await realpath(path).catch(() => undefined);
    const isThere = real !== undefined && (top === undefined || isWithin(top, real)) && forbids(real) === undefined;
    const shown = isWithin(cwd, path) ? relative(cwd, path) : path;
    const text = isThere ? (await readTextFile({ real, shown }).catch(() => undefined))?.text.trim() : undefined;
    if (text) return { shown, text: cut(text, longest) };
  }
  return undefined;
}

function foldersBetween(top: string, cwd: string): readonly string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== top && dirname(folder) !== folder; folder = dirname(folder))
    folders.unshift(dirname(folder));
  return folders;
}

/** The instructions closest to the working directory take precedence. */
function withinLimit(found: readonly Instructions[]): readonly Instructions[] {
  let left = longestTogether;
  return found
    .toReversed()
    .flatMap(({ shown, text }) => {
      const kept = cut(text, left);
      left = Math.max(0, left - text.length);
      return kept === '' ? [] : [{ shown, text: kept }];
    })
    .toReversed();
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return limit === 0 ? '' : `${text.slice(0, limit)}\n[Cut: ${text.length - limit} more characters follow.]`;
}

function isWithin(top: string, path: string): boolean {
  const way = relative(top, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
}
