import { plainLines } from '../workspace/line-endings.ts';
import type { WorkspacePath } from '../workspace/workspace.ts';
import { shownDiff } from './shown-content.ts';
import type { ToolContext, ToolResult } from './tool.ts';

/** A change that is about to be made. */
export interface FileChange {
  readonly file: WorkspacePath;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
}

/**
 * Makes a permitted change, and reports the result.
 * @param report the report to the model if the file has exactly the requested content
 */
export async function changeFile(
  { file, before, after }: FileChange,
  { files, turnFiles, turn }: ToolContext,
  report: { readonly always: string; readonly unlessChanged?: string },
): Promise<ToolResult> {
  await turnFiles.recordPath(file.real);
  const written = await files.replace(file, { expected: before, text: after }, turn.client);
  const isAsAsked = plainLines(written.text) === plainLines(after);
  const parts = [report.always, ...written.notes, ...(isAsAsked && report.unlessChanged ? [report.unlessChanged] : [])];
  return { text: parts.join('\n'), content: isAsAsked ? [] : [shownDiff(file.real, before, written.text)] };
}
