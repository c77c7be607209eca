import type { QueuedPrompt } from '@turnwire/client/conversation';
import { contentText } from '../output/content-text.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Paint } from '../terminal/paint.ts';
import { cutLine } from '../terminal/text-width.ts';
import type { Completion } from './completion/completion.ts';
import type { Dialog } from './dialogs/dialog.ts';
import { type Drawing, lastLines, type Size, stack } from './drawing.ts';
import type { Editor } from './editor.ts';
import { planPanel } from './entries/plan-lines.ts';
import type { Attachment } from './attachments.ts';
import { type Status, statusLine } from './status-line.ts';

/** Prompts that wait and are shown. */
const mostQueued = 3;

/** Everything the live region shows. */
export interface ChatView {
  readonly size: Size;
  readonly paint: Paint;
  /** What of the transcript still changes. */
  readonly scrollback: readonly string[];
  readonly status: Status;
  readonly queue: readonly QueuedPrompt[];
  readonly attachments: readonly Attachment[];
  readonly dialog: Dialog | undefined;
  /** Dialogs that wait behind it. */
  readonly waiting: number;
  readonly editor: Editor;
  readonly completion: Completion;
}

/** The live region: what still changes, the plan, what waits, and the editor or a dialog above the status line. */
export function drawChat(view: ChatView): Drawing {
  // A line is never as wide as the screen: terminals differ in where the cursor is then. And the region is never as high.
  const size = { columns: view.size.columns - 1, rows: view.size.rows - 1 };
  const foot = { lines: [statusLine(view.status, size.columns, view.paint)] };
  const body = view.dialog ? dialogArea(view, view.dialog, { ...size, rows: size.rows - 1 }) : editorArea(view, size);
  const below = stack(body, foot);
  const room = size.rows - below.lines.length;
  const { lines, cursor } = stack(upperArea(view, room, size.columns), below);
  return { lines: lines.map((line) => cutLine(line, size.columns)), cursor };
}

/** What is above the editor, in as much room as there is. */
function upperArea(view: ChatView, room: number, columns: number): Drawing {
  if (room < 1) return { lines: [] };
  const { plan, turnId } = view.status.transcript;
  const panel =
    turnId === undefined || room < 6
      ? []
      : planPanel(plan, Math.min(7, Math.floor(room / 3)), { width: columns, paint: view.paint });
  const left = room - panel.length - (panel.length > 0 ? 1 : 0);
  const shown = lastLines({ lines: view.scrollback }, left).lines;
  return { lines: [...shown, ...(panel.length > 0 ? ['', ...panel] : [])] };
}

function dialogArea({ dialog: _, paint, waiting }: ChatView, dialog: Dialog, size: Size): Drawing {
  const more =
    waiting === 0 ? [] : [paint('dim', `  ${waiting} more ${waiting === 1 ? 'question waits' : 'questions wait'}`)];
  const drawing = dialog.draw({ columns: size.columns, rows: size.rows - 1 - more.length }, paint);
  return stack({ lines: [rule(size.columns, paint)] }, lastLines(drawing, size.rows - 1 - more.length), {
    lines: more,
  });
}

function editorArea(view: ChatView, { columns, rows }: Size): Drawing {
  const { paint, editor, completion } = view;
  const look = { paint, sign: paint('cyan', '› '), hint: hintOf(view) };
  const text = editor.draw({ columns, rows: Math.max(1, Math.min(12, Math.floor(rows / 3))) }, look);
  const before = [...queueLines(view.queue, columns, paint), ...attachmentLines(view.attachments, columns, paint)];
  const suggestions = rows > 10 ? completion.draw(columns, paint) : completion.draw(columns, paint).slice(0, 3);
  return stack({ lines: ['', ...before, rule(columns, paint)] }, text, { lines: suggestions });
}

function rule(columns: number, paint: Paint): string {
  return paint('dim', '─'.repeat(columns));
}

function hintOf({ status: { state } }: ChatView): string {
  if (state.name === 'working' || state.name === 'cancelling') return 'a prompt you send now waits for this turn';
  return state.name === 'starting' ? 'you can write already' : 'what is to be done? @ names a file, / a command';
}

function queueLines(queue: readonly QueuedPrompt[], columns: number, paint: Paint): string[] {
  const lines = queue
    .slice(0, mostQueued)
    .map(({ content }) =>
      paint('dim', cutLine(`waits: ${cleanLine(content.map(contentText).join(' ').slice(0, 500))}`, columns)),
    );
  const more = queue.length - lines.length;
  if (lines.length === 0) return [];
  return [
    ...lines,
    paint('dim', cutLine(`${more > 0 ? `and ${more} more; ` : ''}Up takes the last one back`, columns)),
  ];
}

function attachmentLines(attachments: readonly Attachment[], columns: number, paint: Paint): string[] {
  if (attachments.length === 0) return [];
  const names = attachments.map(({ name }) => cleanLine(name)).join(', ');
  return [
    paint(
      'magenta',
      cutLine(`with ${attachments.length === 1 ? 'an image' : `${attachments.length} images`}: ${names}`, columns),
    ),
  ];
}
