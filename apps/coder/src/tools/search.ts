import { open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withoutInstalled } from '@turnwire/machine';
import { z } from 'zod';
import { isBinary } from '../search/file-content.ts';
import type { Look, TextQuery } from '../search/file-engine.ts';
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
    const place = await context.workspace.locateToRead(search.path ?? '.');
    return {
      title: `Search for ${search.text}${within(place)}`,
      locations: [{ path: place.real }],
      facts: { paths: [place.real] },
      run: () => searchFiles(search, place, context),
    };
  },
});

async function searchFiles(search: SearchInput, place: WorkspacePath, context: ToolContext): Promise<ToolResult> {
  const start = await startingPoint(place);
  const unread = new UnreadFiles();
  const { found, remark } = await withFallback(async (engine) => {
    unread.clear();
    const hidden = new HiddenFiles(context.permissions, 'search');
    const results = new SearchResults({ offset: search.offset ?? 0, most: matchLimit, filesOnly: search.filesOnly });
    const look: Look = {
      ...start,
      globs: [...withoutInstalled, ...globsOf(search)],
      signal: context.signal,
      report: unread.report,
    };
    for await (const file of engine.matches(look, queryOf(search))) {
      const path = join(start.folder, file.path);
      if (hidden.hides(path)) continue;
      if (!results.add(context.workspace.show(path), file.lines)) break;
    }
    return { results, remarks: hidden.remarks };
  });
  const remarks = [...found.remarks, ...unread.remarks, ...(remark ? [remark] : [])].map((each) => `[${each}]`);
  return resultOf(found.results, remarks, `${search.text}${within(place)}`);
}

function resultOf({ text, matches, isCut }: SearchResults, remarks: readonly string[], sought: string): ToolResult {
  const none = `No matches for ${sought}.`;
  return {
    text: [text === '' ? none : text, ...remarks].join('\n'),
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

async function startingPoint(place: WorkspacePath): Promise<Pick<Look, 'folder' | 'file'>> {
  const { real, shown } = place;
  const found = await stat(real).catch(() => undefined);
  if (found === undefined) throw new ToolError(`There is no file or folder ${spelledOut(place)}.`);
  if (found.isDirectory()) return { folder: real };
  if (!found.isFile()) throw new ToolError(`${shown} is not a regular file; nothing was searched.`);
  await using file = await open(real);
  if (await isBinary(file)) throw new ToolError(`${shown} is binary; nothing was searched.`);
  return { folder: dirname(real), file: basename(real) };
}
