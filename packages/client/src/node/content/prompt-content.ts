import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ContentBlock } from '@turnwire/protocol';
import { insideRoots } from '../files/roots.ts';
import type { ContentOptions } from './content-options.ts';
import { fileContent, type KnownContent, textContent } from './file-content.ts';
import { mentions } from './mentions.ts';

/** What a user wants to say, and to show with it. */
export interface PromptDraft {
  readonly text: string;
  /** Paths of files and folders, relative to the `cwd` of the options. Each must exist. Default: none. */
  readonly attachments?: readonly string[] | undefined;
}

/** How a prompt is put together. */
export interface PromptContentOptions extends ContentOptions {
  /** Further folders of the session: files in them may be mentioned too, by their absolute path. Default: none. */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** Whether files the text mentions as `@path` are attached. Default: yes. */
  readonly mentions?: boolean | undefined;
}

/**
 * The blocks of a prompt: the text as it is, then what is attached, then the files it mentions as `@path` or `@"path"`. Nothing twice.
 *
 * A mention counts if there is such a readable file or folder in `cwd` or the additional folders, symbolic links resolved; otherwise it is text and no
 * error. So a text from somewhere else cannot make this machine hand out files from outside. Without `cwd` there are no mentions.
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
  { cwd, additionalDirectories = [] }: PromptContentOptions,
): Promise<readonly string[]> {
  if (cwd === undefined) return [];
  const roots = [cwd, ...additionalDirectories];
  const found = mentions(text).map(async ({ path }) => {
    const absolute = resolve(cwd, path);
    return (await insideRoots(absolute, roots)) && (await canBeAttached(absolute)) ? [absolute] : [];
  });
  return (await Promise.all(found)).flat();
}

async function canBeAttached(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !(found.isFile() || found.isDirectory())) return false;
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}
