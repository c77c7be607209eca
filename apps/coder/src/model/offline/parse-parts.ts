import { unquote } from './quotations.ts';

/** A step of a plan as the tool takes it. */
export interface PlanEntry {
  readonly content: string;
  readonly status?: 'in_progress' | 'completed';
}

/** The steps of a plan, separated by semicolons or one per line; `[x]` marks a completed one, `[~]` one in progress. */
export function planEntries(steps: string): readonly PlanEntry[] {
  return steps
    .split(/[;\n]/)
    .map((step) => step.trim())
    .filter((step) => step !== '')
    .map((step) => {
      const [, mark = ' ', content = step] = /^\[([x~ ])\]\s*(.+)$/i.exec(step) ?? [];
      const status = { x: 'completed' as const, '~': 'in_progress' as const }[mark.toLowerCase()];
      return { content: unquote(content), ...(status && { status }) };
    });
}

/** Choices, separated by commas, the last optionally by `or`. */
export function offeredChoices(text: string): readonly string[] {
  return text
    .split(/,\s*or\s+|,|\sor\s/i)
    .map((choice) => unquote(choice))
    .filter((choice) => choice !== '');
}
