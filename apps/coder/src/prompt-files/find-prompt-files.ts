import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { foldersUpwards, isInside } from '@turnwire/machine';
import { ToolError } from '../tool-error.ts';
import { readTextFile } from '../workspace/text-file.ts';
import { frontMatter } from './front-matter.ts';

/** The most files of a session. */
const most = 100;
/** The longest file, in UTF-16 units. */
const longest = 64 * 1024;

/** A prompt that the user or the project keeps in a file, for use by its name. */
export interface PromptFile {
  /** Without the slash. Of a file in a folder of commands the folder comes first: `git:commit`. */
  readonly name: string;
  readonly description: string;
  /** A hint at the argument. */
  readonly hint: string;
  /** Its path for users: relative to the working directory if it is inside. */
  readonly shown: string;
  /** Whether it is a skill of the project: a folder with more than the prompt in it, which the model may also use by itself. */
  readonly isSkill: boolean;
  /**
   * Its current text, without the front matter.
   * @throws ToolError if it cannot be read any more
   */
  readonly read: () => Promise<string>;
}

/** Where to look for prompts. */
export interface PromptSources {
  /** Absolute working directory, links resolved. */
  readonly cwd: string;
  /** The folder of the user's own prompts: `skills` and `commands` in it are searched. */
  readonly personal: string;
  /** Why a file may not be read; undefined if it may. */
  readonly forbids: (path: string) => string | undefined;
}

/** A folder with prompts. */
interface PromptFolder {
  readonly folder: string;
  readonly holds: 'skills' | 'commands';
  /** Links must not lead out of it. Undefined: the user's own may be anywhere. */
  readonly top: string | undefined;
}

/**
 * Finds the prompts of the working directory, of the folders above it up to the repository's root, and of the user: skills (`NAME/SKILL.md`
 * in `.agents/skills` and `.claude/skills`) and commands (`.claude/commands/NAME.md`). Of two with one name the closest is used. At most
 * 100; unreadable files, and names that cannot be typed, are left out.
 */
export async function findPromptFiles(sources: PromptSources): Promise<readonly PromptFile[]> {
  const found = new Map<string, PromptFile>();
  for (const source of promptFoldersOf(sources))
    for (const path of await filesIn(source)) {
      if (found.size >= most) return [...found.values()];
      const file = await promptFile(path, source, sources).catch(() => undefined);
      if (file && !found.has(file.name)) found.set(file.name, file);
    }
  return [...found.values()];
}

function promptFoldersOf({ cwd, personal }: PromptSources): readonly PromptFolder[] {
  const folders = foldersUpwards(cwd);
  const top = folders.at(-1) ?? cwd;
  const ofProject = folders.flatMap((folder): PromptFolder[] => [
    { folder: join(folder, '.agents', 'skills'), holds: 'skills', top },
    { folder: join(folder, '.claude', 'skills'), holds: 'skills', top },
    { folder: join(folder, '.claude', 'commands'), holds: 'commands', top },
  ]);
  return [
    ...ofProject,
    { folder: join(personal, 'skills'), holds: 'skills', top: undefined },
    { folder: join(personal, 'commands'), holds: 'commands', top: undefined },
  ];
}

/** The files that may be prompts, sorted by name; commands may be one folder deeper. */
async function filesIn({ folder, holds }: PromptFolder): Promise<readonly string[]> {
  const entries = await namesIn(folder);
  if (holds === 'skills') return entries.map((name) => join(folder, name, 'SKILL.md'));
  const below = entries.filter((name) => !name.endsWith('.md')).slice(0, most);
  const nested = below.map(async (name) => {
    return (await namesIn(join(folder, name))).map((each) => join(name, each));
  });
  return [...entries, ...(await Promise.all(nested)).flat()]
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  return names.toSorted();
}

async function promptFile(
  path: string,
  source: PromptFolder,
  { cwd, forbids }: PromptSources,
): Promise<PromptFile | undefined> {
  const shown = isInside(cwd, path) ? relative(cwd, path) : path;
  const read = async (): Promise<ReturnType<typeof frontMatter>> => {
    const real = await realpath(path);
    const isOutside = source.top !== undefined && !isInside(source.top, real);
    const reason = source.top === undefined ? undefined : forbids(real);
    if (isOutside || reason !== undefined) throw new ToolError(reason ?? `${shown} is a link out of the project`);
    const text = (await readTextFile({ real, shown }))?.text ?? '';
    return frontMatter(text.slice(0, longest));
  };
  const { fields, body } = await read();
  const name = source.holds === 'skills' ? (fields.get('name') ?? basename(dirname(path))) : commandName(path, source);
  if (!/^[\p{L}\p{N}_.:-]{1,64}$/u.test(name) || body === '') return undefined;
  return {
    name,
    description: oneLine(fields.get('description') ?? body.replace(/^[#\s]+/, '').split('\n', 1)[0] ?? ''),
    hint: oneLine(fields.get('argument-hint') ?? '[what to do]'),
    shown,
    isSkill: source.holds === 'skills' && source.top !== undefined,
    read: async () => (await read()).body,
  };
}

function commandName(path: string, { folder }: PromptFolder): string {
  return relative(folder, path).replace(/\.md$/, '').split(sep).join(':');
}

function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
