import { z } from 'zod';
import { failureMessage, ToolError } from '../tool-error.ts';
import { keepLineEndings, plainLines } from '../workspace/line-endings.ts';
import { changeFile } from '../tools/changed-file.ts';
import { deleteTool } from '../tools/delete.ts';
import { missingFile } from '../tools/missing-file.ts';
import { shownDiff } from '../tools/shown-content.ts';
import { defineTool } from '../tools/tool.ts';
import type { PreparedCall, Tool, ToolContext, ToolResult } from '../tools/tool.ts';
import { applyHunks } from './apply-hunks.ts';
import { type FilePatch, parsePatch } from './parse-patch.ts';

const input = () =>
  z.strictObject({
    input: z.string(),
  });

/** Adds, changes and deletes files by a patch in the form that OpenAI's models have learned. */
export const applyPatchTool: Tool = defineTool({
  name: 'apply_patch',
  kind: 'edit',
  description:
    'Add, change and delete text files by a patch: "*** Begin Patch", then "*** Add File: PATH", "*** Delete File: PATH" or "*** Update File: PATH" with lines that begin with " ", "-" or "+" below "@@", then "*** End Patch". All files are checked before any is changed.',
  effect: 'changes',
  input,
  async prepare({ input: patch }, context) {
    const calls: PreparedCall[] = [];
    for (const part of parsePatch(patch)) calls.push(await preparePart(part, context));
    const paths = calls.flatMap(({ facts }) => facts.paths ?? []);
    if (new Set(paths).size < paths.length)
      throw new ToolError(
        'The patch names a file twice; nothing was changed. Put all changes of a file below one line.',
      );
    return {
      title: calls.map(({ title }) => title).join(', '),
      locations: calls.flatMap(({ locations = [] }) => locations),
      preview: calls.flatMap(({ preview = [] }) => preview),
      facts: { paths },
      run: (report) => runAll(calls, (call) => call.run(report)),
    };
  },
});

async function preparePart(part: FilePatch, context: ToolContext): Promise<PreparedCall> {
  if (part.kind === 'delete') return deleteTool.prepare({ path: part.path }, context);
  const file = await context.workspace.locate(part.path);
  const before = await context.files.read(file, context.turn.client);
  if (part.kind === 'add' && before !== undefined) throw new ToolError(`${file.shown} exists; nothing was changed.`);
  if (part.kind === 'update' && before === undefined) throw await missingFile(file);
  const after = part.kind === 'add' ? part.text : updated(file.shown, before ?? '', part);
  return {
    title: `${part.kind === 'add' ? 'Create' : 'Edit'} ${file.shown}`,
    locations: [{ path: file.real }],
    preview: [shownDiff(file.real, before, after)],
    facts: { paths: [file.real] },
    run: () => changeFile({ file, before, after }, context, { always: `Changed ${file.shown}.` }),
  };
}

function updated(shown: string, before: string, { hunks }: Extract<FilePatch, { kind: 'update' }>): string {
  const text = applyHunks(plainLines(before), hunks);
  if (typeof text !== 'string')
    throw new ToolError(
      `Change ${text.misplaced} of ${shown} does not match the file; nothing was changed. Read the file again.`,
    );
  const after = keepLineEndings(before, text);
  if (after === before) throw new ToolError(`The patch changes nothing in ${shown}; nothing was changed.`);
  return after;
}

/** Applies the patches in order. An error lists the files that were already changed. */
async function runAll(
  calls: readonly PreparedCall[],
  run: (call: PreparedCall) => Promise<ToolResult>,
): Promise<ToolResult> {
  const done: ToolResult[] = [];
  for (const call of calls) {
    try {
      done.push(await run(call));
    } catch (error) {
      throw new ToolError(
        [`${call.title} failed. ${failureMessage(error)}`, ...done.map(({ text }) => text)].join('\n'),
      );
    }
  }
  const isAsShown = done.every(({ content = [] }) => content.length === 0);
  const shown = calls.flatMap(({ preview = [] }, at) => (done[at]?.content?.length ? done[at].content : preview));
  return { text: done.map(({ text }) => text).join('\n'), content: isAsShown ? [] : shown };
}

/** Whether a model has learned to write patches, by its name. */
export function writesPatches(model: string): boolean {
  return /\b(?:gpt-(?:4\.1|[5-9])|codex|o[34])(?![a-z0-9])/i.test(model);
}
