import { z } from 'zod';
import { defineTool } from './tool.ts';
import type { Tool } from './tool.ts';

const entry = () =>
  z.strictObject({
    content: z.string().min(1),
    status: z.enum(['pending', 'in_progress', 'completed']).default('pending'),
    priority: z.enum(['high', 'medium', 'low']).default('medium'),
  });

const input = () =>
  z.strictObject({
    entries: z.array(entry()).min(1).max(100).describe('Every step, done or not'),
  });

/** Shows the plan, or its progress, to the user. */
export const planTool: Tool = defineTool({
  name: 'plan',
  kind: 'think',
  description: 'Show the user your plan. Call it again whenever a step begins or ends.',
  effect: 'talks',
  hasOwnUpdate: true,
  input,
  async prepare({ entries }, { turn }) {
    return {
      title: `Plan ${entries.length === 1 ? 'one step' : `${entries.length} steps`}`,
      facts: {},
      run: async () => {
        await turn.endMessage();
        await turn.plan(entries);
        return {
          text: entries
            .map(
              ({ content, status }, index) => `${index + 1}. ${content}${status === 'pending' ? '' : ` (${status})`}`,
            )
            .join('\n'),
        };
      },
    };
  },
});
