import { z } from 'zod';
import { splitLines } from '../workspace/line-endings.ts';
import { changeFile } from './changed-file.ts';
import type { FileChange } from './changed-file.ts';
import { missingFile } from './missing-file.ts';
import { editText } from './replace-text.ts';
import type { EditedText, LineSpan, TextEdit } from './replace-text.ts';
import { shownDiff } from './shown-content.ts';
import { defineTool } from './tool.ts';
import type { PreparedCall, Tool, ToolContext } from './tool.ts';
import { ToolError } from '../tool-error.ts';

const contextLines = 3;
const mostExcerpts = 10;
const mostLines = 40;
const mostCharacters = 4000;

const input = () => {
  const oldText = z.string().min(1).describe('Exactly as in the file, with enough around it to occur once');
  const newText = z.string();
  const replaceAll = z.boolean().optional().describe('Replace every occurrence');
  return z.strictObject({
    path: z.string().min(1),
    edits: z
      .preprocess(asList, z.array(z.strictObject({ oldText, newText, replaceAll })).min(1))
      .optional()
      .describe('Each is matched against the file as it is before all of them; they must not overlap'),
    oldText: oldText.optional().describe('For one replacement, instead of edits'),
    newText: newText.optional(),
    replaceAll,
  });
};

/** Replaces texts in a file, all of them or none. */
export const editTool: Tool = defineTool({
  name: 'edit',
  kind: 'edit',
  description: 'Replace texts in a file, all or none: several in one call. Encoding and line endings are kept.',
  effect: 'changes',
  input,
  async prepare(request, context) {
    const edits = editsOf(request);
    const file = await context.workspace.locate(request.path);
    const before = await context.files.readForChange(file, context.turn.client);
    if (before === undefined) throw await missingFile(file);
    const edited = editText(before, edits);
    if ('explanation' in edited) throw new ToolError(`Nothing was changed in ${file.shown}: ${edited.explanation}`);
    if (edited.text === before)
      throw new ToolError(`Nothing was changed in ${file.shown}: the new text is the old text. (Line endings stay.)`);
    return prepareEdit({ file, before, after: edited.text }, edited, context);
  },
});

function prepareEdit(change: FileChange, { text, spans }: EditedText, context: ToolContext): PreparedCall {
  const { file, before, after } = change;
  return {
    title: `Edit ${file.shown}`,
    locations: [{ path: file.real, line: spans[0]?.first ?? 1 }],
    preview: [shownDiff(file.real, before, after)],
    facts: { paths: [file.real] },
    run: () =>
      changeFile(change, context, {
        always: `Replaced ${spans.length === 1 ? 'one occurrence' : `${spans.length} occurrences`} in ${file.shown}.`,
        unlessChanged: linesNow(text, spans),
      }),
  };
}

function editsOf({
  edits,
  oldText: one,
  newText: other,
  replaceAll: all,
}: z.infer<ReturnType<typeof input>>): readonly TextEdit[] {
  if (edits !== undefined && one === undefined && other === undefined) return edits;
  if (edits === undefined && one !== undefined && other !== undefined)
    return [{ oldText: one, newText: other, replaceAll: all }];
  throw new ToolError('The input of edit is wrong: give either edits, or oldText and newText.');
}

// Models may send a list as a string, or only its single item.
function asList(edits: unknown): unknown {
  if (typeof edits === 'string') return asList(parsed(edits));
  return typeof edits === 'object' && edits !== null && !Array.isArray(edits) ? [edits] : edits;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return [];
  }
}

/** The changed lines with those around them, for the next edit. */
function linesNow(text: string, spans: readonly LineSpan[]): string {
  const lines = splitLines(text);
  const excerpts = joined(spans, lines.length);
  const parts = excerpts.slice(0, mostExcerpts).map(({ first, last }) => {
    const shown = lines
      .slice(first - 1, Math.min(last, first + mostLines - 1))
      .join('')
      .replaceAll('\r\n', '\n');
    return `Lines ${first} to ${last} are now:\n${shown.slice(0, mostCharacters).replace(/\n$/u, '')}`;
  });
  return [
    ...parts,
    ...(excerpts.length > mostExcerpts ? [`… and ${excerpts.length - mostExcerpts} more places.`] : []),
  ].join('\n');
}

/** The ranges with some lines around each; overlapping ones are merged. */
function joined(spans: readonly LineSpan[], total: number): readonly LineSpan[] {
  const excerpts: LineSpan[] = [];
  for (const span of spans) {
    const first = Math.max(1, span.first - contextLines);
    const last = Math.min(total, span.last + contextLines);
    const before = excerpts.at(-1);
    if (before && first <= before.last + 1) excerpts.splice(-1, 1, { first: before.first, last });
    else if (first <= last) excerpts.push({ first, last });
  }
  return excerpts;
}
