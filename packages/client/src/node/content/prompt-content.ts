import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ContentBlock } from '@turnwire/protocol';
import { insideRoots } from '../files/roots.ts';
import type { ContentOptions } from './content-options.ts';
import { fileContent, type KnownContent, textContent } from './file-content.ts';
import { mentions, possiblePaths } from './mentions.ts';

/** The text of a prompt and its attachments. */
export interface PromptDraft {
  readonly text: string;
  /** Paths of files and folders, relative to the `cwd` of the options. Each must exist. Default: none. */
  readonly attachments?: readonly string[] | undefined;
}

/** How a prompt is assembled. */
export interface PromptContentOptions extends ContentOptions {
  /** Further folders of the session: their files may be mentioned too, by absolute path. Default: none. */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** Whether files mentioned as `@path` are attached. Default: true. */
  readonly mentions?: boolean | undefined;
  /**
   * Receives each mention that stays text although it looks like a file: it has a suffix, or starts with an existing folder. Default: none.
   */
  readonly onUnknown?: ((path: string) => void) | undefined;
}

/**
 * The blocks of a prompt: the unchanged text, then the attachments, then the files it mentions as `@path` or `@"path"`, without duplicates.
 *
 * A mention counts if it is a readable file or folder in `cwd` or the additional folders, symbolic links resolved; otherwise it is plain
 * text, not an error. So a pasted text cannot make this machine send files from elsewhere. Without `cwd` there are no mentions.
 * @throws TurnwireError `invalid-input` for an attachment that does not exist or cannot be read
 */
export async function promptContent(
  { text, attachments = [] }: PromptDraft,
  capabilities: KnownContent,
  options: PromptContentOptions = {},
): Promise<ContentBlock[]> {
  const mentioned = options.mentions === false ? [] : await mentionedFiles(text, options);
  const paths = new Set(
    [...attachments, ...mentioned].map((path) => (options.cwd === undefined ? path : resolve(options.cwd, path))),
  );
  const files = await Promise.all([...paths].map((path) => fileContent(path, capabilities, options)));
  return text === '' && files.length > 0 ? files : [textContent(text), ...files];
}

async function mentionedFiles(
  text: string,
  { cwd, additionalDirectories = [], onUnknown }: PromptContentOptions,
): Promise<readonly string[]> {
  if (cwd === undefined) return [];
  const roots = [cwd, ...additionalDirectories];
  const found = await Promise.all(
    mentions(text).map(async ({ path }) => {
      for (const possible of possiblePaths(path)) {
        const absolute = resolve(cwd, possible);
        if ((await insideRoots(absolute, roots)) && (await canBeAttached(absolute))) return { file: absolute };
      }
      return { unknown: await meantAsFile(path, cwd) };
    }),
  );
  for (const { unknown } of found) if (unknown !== undefined) onUnknown?.(unknown);
  return found.flatMap(({ file }) => file ?? []);
}

/** The file that a mention probably means, judging by its form: `@Override` and `@scope/package` do not look like files. */
async function meantAsFile(path: string, cwd: string): Promise<string | undefined> {
  const withSuffix = possiblePaths(path).find((possible) => /\.[a-z]\w{0,4}$/i.test(possible));
  if (withSuffix !== undefined) return withSuffix;
  const [folder = '', ...others] = path.split('/');
  if (folder === '' || others.length === 0) return undefined;
  const found = await stat(resolve(cwd, folder)).catch(() => undefined);
  return found?.isDirectory() ? path : undefined;
}

async function canBeAttached(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !(found.isFile() || found.isDirectory())) return false;
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}
