import type { CoderTurn } from '../session/session-memory.ts';
import type { NotUndone, UndoneChange, UndoReport } from '../undo/undo-report.ts';
import { inlineCode } from './inline-code.ts';
import type { SlashCommand } from './slash-command.ts';

/** The most changes that are listed; more are counted. */
const named = 20;

/** The most turns that are undone at once: of more there is no record. */
const mostTurns = 20;

/** `/undo`: undoes the last turn, in the files and in the conversation; with a number so many, the last one first. Again: the turn before. */
export const undoCommand: SlashCommand = {
  name: 'undo',
  description: 'Undo the last turn, or several: the files they changed, and the conversation',
  hint: '[how many turns]',
  run: async (turn, argument) => {
    const count = argument === '' ? 1 : Number(argument);
    if (!Number.isInteger(count) || count < 1 || count > mostTurns)
      return turn.say(`${inlineCode(argument)} is no number of turns: \`/undo 3\` undoes three, ${mostTurns} at most.`);
    for (let undone = 0; undone < count && !turn.signal.aborted; undone++) {
      const words = await undoOne(turn);
      if (words === undefined && undone > 0) return undefined;
      await turn.say(`${undone === 0 ? '' : '\n\n'}${words ?? 'There is nothing left to undo.'}`);
    }
    return undefined;
  },
};

/** What came of it; undefined if there is nothing left to undo. */
async function undoOne(turn: CoderTurn): Promise<string | undefined> {
  const { memory } = turn.session;
  const { files, workspace } = memory;
  const others = whatElseRan(turn);
  const report = await memory.checkpoints.undoLast({ through: { files, client: turn.client, workspace } });
  const prompt = memory.conversation.dropLastTurn((value) => turn.session.keep(value));
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
      ? [`The turn ran ${facts.others.map(inlineCode).join(', ')}: their changes are not known here and stay.`]
      : []),
  ].join('\n\n');
}

function describeFiles(report: UndoReport, { show }: UndoFacts): readonly string[] {
  const { turn, undone, conflicts, unkept, keptIn } = report;
  if (turn === 'none') return ['There is no record of its files, so no file was changed.'];
  if (undone.length + conflicts.length + unkept.length === 0) return ['No file had to be restored.'];
  const kept = keptIn === undefined ? '' : ` Their content before the turn is in ${inlineCode(keptIn)} for a while.`;
  return [
    ...section(
      'Restored:',
      undone.map((change) => describeChange(change, show)),
    ),
    ...section(
      `**Unchanged:**${kept}`,
      conflicts.map((each) => tellOther(each, show)),
    ),
    ...section(
      '**Cannot be restored:**',
      unkept.map((each) => tellOther(each, show)),
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

function tellOther({ path, why }: NotUndone, show: (path: string) => string): string {
  return `${show(path)}: ${why}`;
}

function shortened(prompt: string): string {
  const [line = ''] = prompt.trim().split('\n', 1);
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** Tools that change files without reporting which. */
function whatElseRan({ session }: CoderTurn): readonly string[] {
  const { conversation, mcp } = session.memory;
  const start = conversation.messages.findLastIndex(({ role }) => role === 'user');
  const ran = conversation.messages.slice(Math.max(0, start)).flatMap((message) => {
    if (message.role !== 'assistant') return [];
    return message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : []));
  });
  const unknown = (tool: string): boolean => tool === 'execute' || mcp.tools.some(({ name }) => name === tool);
  return [...new Set(ran.filter(unknown))];
}
