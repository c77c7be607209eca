import type { PlanBlock } from '@turnwire/client/view';
import { cleanLine, cleanText } from '../../terminal/clean-text.ts';
import { markdownLines } from '../../output/markdown/markdown-lines.ts';
import { cutLine } from '../../terminal/text-width.ts';
import type { Page } from '../../terminal/page.ts';

/** The whole plan, one step per line; a plan without steps is a text. */
export function planLines({ steps, text }: PlanBlock, page: Page): string[] {
  const { paint, width } = page;
  if (text !== undefined) return markdownLines(cleanText(text).trim(), page);
  return steps.map(({ content, status }) => {
    const line = cutLine(`${marks[status] ?? '[ ]'} ${cleanLine(content)}`, width);
    return status === 'completed' ? paint('dim', line) : status === 'in_progress' ? paint('bold', line) : line;
  });
}

/** The whole plan below a line with its progress. */
export function wholePlan(plan: PlanBlock, page: Page): string[] {
  const lines = planLines(plan, page);
  return lines.length === 0 ? [] : [headLine(plan, page), ...lines];
}

/** The plan in a limited number of lines around the current step, below a line with its progress. */
export function planPanel(plan: PlanBlock, rows: number, page: Page): string[] {
  const lines = planLines(plan, page);
  if (lines.length === 0 || rows < 1) return [];
  const head = headLine(plan, page);
  const current = plan.steps.findIndex(({ status }) => status !== 'completed');
  if (plan.text === undefined && current === -1) return [head];
  if (lines.length + 1 <= rows) return [head, ...lines];
  const visible = Math.max(1, rows - 1);
  const start = Math.max(0, Math.min(current - Math.floor(visible / 3), lines.length - visible));
  return [head, ...lines.slice(start, start + visible)];
}

function headLine({ steps, text }: PlanBlock, { paint }: Page): string {
  const done = steps.filter(({ status }) => status === 'completed').length;
  return paint('dim', text === undefined ? `Plan ${done}/${steps.length}` : 'Plan');
}

const marks: Readonly<Record<string, string | undefined>> = { pending: '[ ]', in_progress: '[>]', completed: '[x]' };
