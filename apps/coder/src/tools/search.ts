import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { ripgrep } from '../process/ripgrep.ts';
import { within } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace.ts';
import { defineTool } from './tool.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { ToolError } from './tool-error.ts';

const matchLimit = 200;
const lineLength = 300;

const input = z.strictObject({
  text: z.string().min(1).describe('What to search for, as it is written'),
  path: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File or folder to search, absolute or relative to the working directory. Default: the working directory',
    ),
  regex: z.boolean().optional().describe('Take the text as a regular expression (Rust syntax). Default false'),
});

type SearchInput = z.infer<typeof input>;

/** Searches files for a text. */
export const searchTool: Tool = defineTool({
  name: 'search',
  kind: 'search',
  description: `Search text files for a text or a regular expression, without those .gitignore excludes. Gives path:line: text, at most ${matchLimit} matches.`,
  effect: 'looks',
  input,
  async prepare(search, context) {
    const place = await context.workspace.locate(search.path ?? '.');
    return {
      title: `Search for ${search.text}${within(place)}`,
      locations: [{ path: place.real }],
      facts: { paths: [place.real] },
      run: () => searchFiles(search, place, context),
    };
  },
});

async function searchFiles(
  { text, regex = false }: SearchInput,
  place: WorkspacePath,
  { workspace, signal }: ToolContext,
): Promise<ToolResult> {
  const [folder, target] = await startingPoint(place);
  const options = [
    '--line-number',
    '--with-filename',
    '--no-heading',
    '--null',
    `--max-columns=${lineLength}`,
    '--max-columns-preview',
  ];
  const args = [...options, ...(regex ? [] : ['--fixed-strings']), '--regexp', text, '--', target];
  const { lines, cut } = await ripgrep(args, folder, { limit: matchLimit, signal });
  if (lines.length === 0) return { text: `No matches for ${text}${within(place)}.`, rawOutput: { matches: 0 } };
  // Without a NUL it is a remark about a binary file.
  const hits = lines
    .filter((line) => line.includes('\0'))
    .map((line) => formatHit(line, (file) => workspace.show(join(folder, file))));
  const rest = cut ? [`[Cut here: more than ${matchLimit} matches. Search for something rarer or in one folder.]`] : [];
  return { text: [...hits, ...rest].join('\n'), rawOutput: { matches: hits.length, cut } };
}

async function startingPoint({ real, shown }: WorkspacePath): Promise<readonly [folder: string, target: string]> {
  const found = await stat(real).catch(() => undefined);
  if (found === undefined) throw new ToolError(`There is no file or folder ${shown}.`);
  return found.isDirectory() ? [real, '.'] : [dirname(real), basename(real)];
}

// ripgrep prints `path NUL line:text`.
function formatHit(line: string, name: (file: string) => string): string {
  const [file = '', rest = ''] = line.split('\0');
  const colon = rest.indexOf(':');
  return `${name(file)}:${rest.slice(0, colon)}: ${rest.slice(colon + 1).trim()}`;
}
