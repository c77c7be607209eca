import type { CoderSession } from '../session/session-memory.ts';
import type { NotRestored } from '../conversation/recorded-files.ts';
import type { UndoContext, UndoneChange, UndoReport } from '../undo/undo-report.ts';
import { inlineCode } from './inline-code.ts';

/** The most changes to list; the others are only counted. */
const named = 20;

/** Undoes the last turn in the files and the conversation. Returns a report; undefined if there is nothing left to undo. */
export async function takeBackTurn(session: CoderSession, context: UndoContext): Promise<string | undefined> {
  const { turnFiles, conversation, workspace } = session.memory;
  const files = conversation.lastFiles;
  const report = await turnFiles.takeBack(files, context);
  const prompt = conversation.dropLastTurn((value) => session.keep(value));
  if (prompt === undefined) return undefined;
  const show = (path: string): string => inlineCode(workspace.show(path));
  const dropped = `Dropped from the conversation: ${inlineCode(shortened(prompt))}`;
  const described = files ? describeFiles(report, show) : ['There is no record of its files.'];
  return [dropped, ...described].join('\n\n');
}

function describeFiles({ undone, conflicts, unkept }: UndoReport, show: (path: string) => string): readonly string[] {
  if (undone.length + conflicts.length + unkept.length === 0) return ['No file had to be restored.'];
  const describe = ({ path, why }: NotRestored): string => `${show(path)}: ${why}`;
  return [
    ...section(
      'Restored:',
      undone.map((change) => describeChange(change, show)),
    ),
    ...section('**Unchanged:**', conflicts.map(describe)),
    ...section('**Cannot be restored:**', unkept.map(describe)),
  ];
}

function section(head: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length > named ? [`- … and ${lines.length - named} more`] : [];
  return [[head, ...lines.slice(0, named).map((line) => `- ${line}`), ...more].join('\n')];
}

function describeChange(change: UndoneChange, show: (path: string) => string): string {
  return `${show(change.path)} (${change.kind})${change.note === undefined ? '' : `: ${change.note}`}`;
}

function shortened(prompt: string): string {
  const [line = ''] = prompt.trim().split('\n', 1);
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
