import { open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withoutInstalled } from '@turnwire/machine';
import { z } from 'zod';
import { isBinary } from '../search/file-content.ts';
import type { SearchScope, TextQuery } from '../search/file-engine.ts';
import { withFallback } from '../search/with-fallback.ts';
import { plainLines } from '../workspace/line-endings.ts';
import { spelledOut, within } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace.ts';
import { HiddenFiles } from './hidden-files.ts';
import { SearchResults } from './search-results.ts';
import { defineTool } from './tool.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { ToolError } from '../tool-error.ts';
import { UnreadFiles } from './unread-files.ts';

const matchLimit = 200;

const input = () =>
  z.strictObject({
    text: z.string().min(1),
    path: z.string().min(1).optional().describe('File or folder. Default: the working directory'),
    regex: z
      .boolean()
      .optional()
      .describe('The text is a regular expression (Rust, RE2: no look-around, no backreferences)'),
    ignoreCase: z.boolean().optional(),
    glob: z
      .union([z.string().min(1), z.array(z.string().min(1)).max(20)])
      .optional()
      .describe('Relative to the folder: *.ts fits at any depth; !*.test.ts excludes'),
    context: z.int().min(0).max(20).optional().describe('Lines to show around each match'),
    filesOnly: z.boolean().optional().describe('Only the paths of files with matches'),
    multiline: z
      .boolean()
      .optional()
      .describe('A match may span lines; (?s) lets a dot match line ends. Default: if the text does'),
    offset: z.int().min(0).optional().describe('Matches to skip, for the rest of a cut result'),
  });

type SearchInput = z.infer<ReturnType<typeof input>>;

/** Searches files for a text. */
export const searchTool: Tool = defineTool({
  name: 'search',
  kind: 'search',
  description: `Search text files, without those .gitignore excludes, and those in node_modules and the like unless the path leads there. Gives path:line: text (path-line- text around matches), at most ${matchLimit} matches.`,
  effect: 'looks',
  input,
  async prepare(search, context) {
    const path = await context.workspace.locateToRead(search.path ?? '.');
    return {
      title: `Search for ${search.text}${within(path)}`,
      locations: [{ path: path.real }],
      facts: { paths: [path.real] },
      run: () => searchFiles(search, path, context),
    };
  },
});

async function searchFiles(search: SearchInput, path: WorkspacePath, context: ToolContext): Promise<ToolResult> {
  const start = await startingPoint(path);
  const unread = new UnreadFiles();
  const { found, note } = await withFallback(async (engine) => {
    unread.clear();
    const hidden = new HiddenFiles(context.permissions, 'search');
    const results = new SearchResults({ offset: search.offset ?? 0, most: matchLimit, filesOnly: search.filesOnly });
    const scope: SearchScope = {
      ...start,
      globs: [...withoutInstalled, ...globsOf(search)],
      signal: context.signal,
      report: unread.report,
    };
    for await (const file of engine.matches(scope, queryOf(search))) {
      const path = join(start.folder, file.path);
      if (hidden.hides(path)) continue;
      if (!results.add(context.workspace.show(path), file.lines)) break;
    }
    return { results, notes: hidden.notes };
  });
  const notes = [...found.notes, ...unread.notes, ...(note ? [note] : [])].map((each) => `[${each}]`);
  return resultOf(found.results, notes, `${search.text}${within(path)}`);
}

function resultOf({ text, matches, isCut }: SearchResults, notes: readonly string[], sought: string): ToolResult {
  const none = `No matches for ${sought}.`;
  return {
    text: [text === '' ? none : text, ...notes].join('\n'),
    rawOutput: { matches, ...(matches > 0 && { cut: isCut }) },
  };
}

function queryOf({ text, regex, ignoreCase, context, filesOnly, multiline, offset = 0 }: SearchInput): TextQuery {
  const hasLineEnd = text.includes('\n') || (regex === true && text.includes(String.raw`\n`));
  return {
    ...(hasLineEnd && regex !== true ? { text: withAnyLineEnds(text), regex: true } : { text, regex }),
    ignoreCase,
    multiline: multiline ?? hasLineEnd,
    context: filesOnly ? 0 : context,
    perFile: filesOnly ? 1 : offset + matchLimit + 1,
  };
}

/** Models write plain line ends, as they see them in every file. */
function withAnyLineEnds(text: string): string {
  const literal = plainLines(text).replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`);
  return literal.replaceAll('\n', String.raw`\r?\n`);
}

function globsOf({ glob = [] }: SearchInput): readonly string[] {
  return typeof glob === 'string' ? [glob] : glob;
}

async function startingPoint(path: WorkspacePath): Promise<Pick<SearchScope, 'folder' | 'file'>> {
  const { real, shown } = path;
  const found = await stat(real).catch(() => undefined);
  if (found === undefined) throw new ToolError(`There is no file or folder ${spelledOut(path)}.`);
  if (found.isDirectory()) return { folder: real };
  if (!found.isFile()) throw new ToolError(`${shown} is not a regular file; nothing was searched.`);
  await using file = await open(real);
  if (await isBinary(file)) throw new ToolError(`${shown} is binary; nothing was searched.`);
  return { folder: dirname(real), file: basename(real) };
}
