import type { CoderTurn } from '../session/session-memory.ts';
import type { NotUndone, UndoneChange, UndoReport } from '../undo/undo-report.ts';
import { inlineCode } from './inline-code.ts';
import type { SlashCommand } from './slash-command.ts';

/** Changes that are named; more are counted. */
const named = 20;

/** `/undo`: takes the last turn back, in the files and in the conversation. Again: the turn before it. */
export const undoCommand: SlashCommand = {
  name: 'undo',
  description: 'Take back the last turn: the files it changed, and the conversation',
  run: async (turn) => {
    const { memory } = turn.session;
    const { files, workspace } = memory;
    const others = whatElseRan(turn);
    const report = await memory.checkpoints.undoLast({ through: { files, client: turn.client, workspace } });
    const prompt = memory.conversation.dropLastTurn((value) => turn.session.keep(value));
    await turn.say(tell(report, { prompt, others, show: (path) => inlineCode(workspace.show(path)) }));
  },
};

interface Told {
  /** The prompt that was dropped. */
  readonly prompt: string | undefined;
  /** Tools the turn ran whose doings are not known. */
  readonly others: readonly string[];
  readonly show: (path: string) => string;
}

function tell(report: UndoReport, told: Told): string {
  if (report.turn === 'none' && told.prompt === undefined) return 'There is nothing left to undo.';
  return [
    told.prompt === undefined
      ? 'The conversation has no turn left to drop.'
      : `Dropped from the conversation: ${inlineCode(shortened(told.prompt))}`,
    ...tellFiles(report, told),
    ...(told.others.length > 0
      ? [`The turn ran ${told.others.map(inlineCode).join(', ')}: whatever that changed is not known here and stays.`]
      : []),
  ].join('\n\n');
}

function tellFiles(report: UndoReport, { show }: Told): readonly string[] {
  const { turn, undone, conflicts, unkept, keptIn } = report;
  if (turn === 'none') return ['No record of its files is left, so no file was touched.'];
  if (undone.length + conflicts.length + unkept.length === 0) return ['No file had to be put back.'];
  const kept = keptIn === undefined ? '' : ` What they held before the turn is in ${inlineCode(keptIn)} for a while.`;
  return [
    ...section(
      'Taken back:',
      undone.map((change) => tellChange(change, show)),
    ),
    ...section(
      `**Left as they are:**${kept}`,
      conflicts.map((each) => tellOther(each, show)),
    ),
    ...section(
      '**Cannot be put back:**',
      unkept.map((each) => tellOther(each, show)),
    ),
  ];
}

function section(head: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length > named ? [`- … and ${lines.length - named} more`] : [];
  return [[head, ...lines.slice(0, named).map((line) => `- ${line}`), ...more].join('\n')];
}

function tellChange(change: UndoneChange, show: (path: string) => string): string {
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

/** Tools that change files without a word about which. */
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
