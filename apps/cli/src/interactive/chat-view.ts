import type { LivePrompt } from '@turnwire/runtime';
import { contentText, planBlock } from '@turnwire/client/view';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Paint } from '../terminal/paint.ts';
import { cutLine } from '../terminal/text-width.ts';
import type { Completion } from './completion/completion.ts';
import type { Dialog } from './dialogs/dialog.ts';
import { type Drawing, lastLines, type Size, stack } from './drawing.ts';
import type { Editor } from './editor.ts';
import { planPanel } from './entries/plan-lines.ts';
import type { Attachments } from './attachments.ts';
import { backgroundLines } from './background.ts';
import { childPanel } from './child-lines.ts';
import { type Status, statusLine } from './status-line.ts';

/** The maximum number of visible queued prompts. */
const mostQueued = 3;

/** The content of the live region. */
export interface ChatView {
  readonly size: Size;
  readonly paint: Paint;
  /** The part of the transcript that may still change. */
  readonly scrollback: readonly string[];
  readonly status: Status;
  readonly queue: readonly LivePrompt[];
  readonly attachments: Pick<Attachments, 'list' | 'texts'>;
  readonly dialog: Dialog | undefined;
  /** The number of queued dialogs. */
  readonly waiting: number;
  readonly editor: Editor;
  readonly completion: Completion;
}

/** Draws the live region: changing entries, the plan, the queue, and the editor or a dialog above the status line. */
export function drawChat(view: ChatView): Drawing {
  // Lines are narrower than the screen, because terminals place the cursor differently after a full line. The region is also less tall.
  const size = { columns: view.size.columns - 1, rows: view.size.rows - 1 };
  const page = { width: size.columns, paint: view.paint };
  const background = size.rows < 8 ? [] : backgroundLines(view.status.transcript, page);
  const foot = { lines: [...background, statusLine(view.status, size.columns, view.paint)] };
  const rest = { ...size, rows: size.rows - foot.lines.length };
  const body = view.dialog ? dialogArea(view, view.dialog, rest) : editorArea(view, size);
  const below = stack(body, foot);
  const free = size.rows - below.lines.length;
  const { lines, cursor } = stack(upperArea(view, free, size.columns), below);
  return { lines: lines.map((line) => cutLine(line, size.columns)), cursor };
}

/** The part above the editor, cut to the free rows. */
function upperArea(view: ChatView, free: number, columns: number): Drawing {
  if (free < 1) return { lines: [] };
  const { plans, turnId } = view.status.transcript;
  const rows = Math.min(7, Math.floor(free / 3 / Math.max(1, plans.length)));
  const page = { width: columns, paint: view.paint };
  const panel = turnId === undefined || free < 6 ? [] : plans.flatMap((plan) => planPanel(planBlock(plan), rows, page));
  const tree = free < 6 ? [] : childPanel(view.status.transcript, Math.min(8, Math.floor(free / 3)), page);
  const panels = [panel, tree].filter((lines) => lines.length > 0).flatMap((lines) => ['', ...lines]);
  const shown = lastLines({ lines: view.scrollback }, free - panels.length).lines;
  return { lines: [...shown, ...panels] };
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
  const style = { paint, sign: paint('cyan', '› '), hint: hintOf(view) };
  const text = editor.draw({ columns, rows: Math.max(1, Math.min(12, Math.floor(rows / 3))) }, style);
  const before = [...queueLines(view.queue, columns, paint), ...attachmentLines(view.attachments, columns, paint)];
  const suggestions = rows > 10 ? completion.draw(columns, paint) : completion.draw(columns, paint).slice(0, 3);
  return stack({ lines: ['', ...before, rule(columns, paint)] }, text, { lines: suggestions });
}

function rule(columns: number, paint: Paint): string {
  return paint('dim', '─'.repeat(columns));
}

function hintOf({ status: { state } }: ChatView): string {
  if (state.name === 'working' || state.name === 'cancelling') return 'a prompt you send now runs after this turn';
  return state.name === 'starting' ? 'you can type already' : 'type a prompt; @ names a file, / a command';
}

function queueLines(queue: readonly LivePrompt[], columns: number, paint: Paint): string[] {
  const lines = queue
    .slice(0, mostQueued)
    .map(({ content }) =>
      paint('dim', cutLine(`queued: ${cleanLine(content.map(contentText).join(' ').slice(0, 500))}`, columns)),
    );
  const more = queue.length - lines.length;
  if (lines.length === 0) return [];
  return [
    ...lines,
    paint(
      'dim',
      cutLine(
        `${more > 0 ? `and ${more} more in Ctrl-X; ` : ''}Up returns the last one to the editor; Enter sends the first one now`,
        columns,
      ),
    ),
  ];
}

function attachmentLines({ list, texts }: ChatView['attachments'], columns: number, paint: Paint): string[] {
  const names = list.map(({ name }) => cleanLine(name)).join(', ');
  const images = list.length === 0 ? [] : [`${list.length === 1 ? 'an image' : `${list.length} images`}: ${names}`];
  return [...images, ...texts.map(({ name }) => cleanLine(name))].map((text) =>
    paint('magenta', cutLine(`with ${text}`, columns)),
  );
}
