import type { PlanEntry } from '@turnwire/protocol';
import { cleanLine } from '../../terminal/clean-text.ts';
import { cutLine } from '../../terminal/text-width.ts';
import type { Page } from '../../terminal/page.ts';

/** The whole plan, one entry per line. */
export function planLines(entries: readonly PlanEntry[], { paint, width }: Page): string[] {
  return entries.map(({ content, status }) => {
    const line = cutLine(`${marks[status] ?? '[ ]'} ${cleanLine(content)}`, width);
    return status === 'completed' ? paint('dim', line) : status === 'in_progress' ? paint('bold', line) : line;
  });
}

/** The whole plan below a line with its progress. */
export function wholePlan(entries: readonly PlanEntry[], page: Page): string[] {
  return entries.length === 0 ? [] : [headLine(entries, page), ...planLines(entries, page)];
}

/** The plan in a limited number of lines around the current entry, below a line with its progress. */
export function planPanel(entries: readonly PlanEntry[], rows: number, page: Page): string[] {
  if (entries.length === 0 || rows < 1) return [];
  const done = entries.filter(({ status }) => status === 'completed').length;
  const head = headLine(entries, page);
  if (done === entries.length) return [head];
  if (entries.length + 1 <= rows) return [head, ...planLines(entries, page)];
  const current = Math.max(
    0,
    entries.findIndex(({ status }) => status !== 'completed'),
  );
  const visible = Math.max(1, rows - 1);
  const start = Math.max(0, Math.min(current - Math.floor(visible / 3), entries.length - visible));
  return [head, ...planLines(entries.slice(start, start + visible), page)];
}

function headLine(entries: readonly PlanEntry[], { paint }: Page): string {
  return paint('dim', `Plan ${entries.filter(({ status }) => status === 'completed').length}/${entries.length}`);
}

const marks: Readonly<Record<string, string | undefined>> = { pending: '[ ]', in_progress: '[>]', completed: '[x]' };
