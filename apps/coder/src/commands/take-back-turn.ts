import type { CoderSession } from '../session/session-memory.ts';
import type { NotUndone, UndoContext, UndoneChange, UndoReport } from '../undo/undo-report.ts';
import { inlineCode } from './inline-code.ts';

/** The most changes to list; the others are only counted. */
const named = 20;

/** Undoes the last turn in the files and the conversation. Returns a report; undefined if there is nothing left to undo. */
export async function takeBackTurn(session: CoderSession, context: UndoContext): Promise<string | undefined> {
  const { checkpoints, conversation, workspace } = session.memory;
  const others = whatElseRan(session);
  const report = await checkpoints.undoLast(context);
  const prompt = conversation.dropLastTurn((value) => session.keep(value));
  if (report.turn === 'none' && prompt === undefined) return undefined;
  return describeUndo(report, { prompt, others, show: (path) => inlineCode(workspace.show(path)) });
}

interface UndoFacts {
  /** The prompt that was dropped. */
  readonly prompt: string | undefined;
  /** Tools of the turn whose effects are not known. */
  readonly others: readonly string[];
  readonly show: (path: string) => string;
}

function describeUndo(report: UndoReport, facts: UndoFacts): string {
  return [
    facts.prompt === undefined
      ? 'The conversation has no turn left to drop.'
      : `Dropped from the conversation: ${inlineCode(shortened(facts.prompt))}`,
    ...describeFiles(report, facts),
    ...(facts.others.length > 0
      ? [
          `The turn ran ${facts.others.map(inlineCode).join(', ')}: Turnwire does not know what they changed, so their changes stay.`,
        ]
      : []),
  ].join('\n\n');
}

function describeFiles(report: UndoReport, { show }: UndoFacts): readonly string[] {
  const { turn, undone, conflicts, unkept, keptIn } = report;
  if (turn === 'none') return ['There is no record of its files, so no file was changed.'];
  if (undone.length + conflicts.length + unkept.length === 0) return ['No file had to be restored.'];
  const kept =
    keptIn === undefined ? '' : ` (their content before the turn is kept in ${inlineCode(keptIn)} for a while)`;
  return [
    ...section(
      'Restored:',
      undone.map((change) => describeChange(change, show)),
    ),
    ...section(
      `**Unchanged**${kept}:`,
      conflicts.map((each) => describeOther(each, show)),
    ),
    ...section(
      '**Cannot be restored:**',
      unkept.map((each) => describeOther(each, show)),
    ),
  ];
}

function section(head: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length > named ? [`- … and ${lines.length - named} more`] : [];
  return [[head, ...lines.slice(0, named).map((line) => `- ${line}`), ...more].join('\n')];
}

function describeChange(change: UndoneChange, show: (path: string) => string): string {
  if (change.kind === 'moved back') return `${show(change.path)} (moved back from ${show(change.from)})`;
  return `${show(change.path)} (${change.kind})${change.note === undefined ? '' : `: ${change.note}`}`;
}

function describeOther({ path, why }: NotUndone, show: (path: string) => string): string {
  return `${show(path)}: ${why}`;
}

function shortened(prompt: string): string {
  const [line = ''] = prompt.trim().split('\n', 1);
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** Tools that change files without reporting which. */
function whatElseRan({ memory }: CoderSession): readonly string[] {
  const { conversation, mcp } = memory;
  const start = conversation.messages.findLastIndex(({ role }) => role === 'user');
  const ran = conversation.messages.slice(Math.max(0, start)).flatMap((message) => {
    if (message.role !== 'assistant') return [];
    return message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : []));
  });
  const unknown = (tool: string): boolean =>
    tool === 'execute' || mcp?.tools.some(({ name }) => name === tool) === true;
  return [...new Set(ran.filter(unknown))];
}
