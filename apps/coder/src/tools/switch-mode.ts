import type { Turn } from '@turnwire/agent';
import type { PermissionOption, TurnwireMeta } from '@turnwire/protocol';
import { z } from 'zod';
import { modeOf, modes } from '../modes/modes.ts';
import type { ModeId } from '../modes/modes.ts';
import type { Admission } from './admission.ts';
import { shownText } from './shown-content.ts';
import { defineTool } from './tool.ts';
import type { PreparedCall, Tool } from './tool.ts';
import { ToolError } from '../tool-error.ts';

const input = () =>
  z.strictObject({
    mode: z.enum(['architect', 'ask', 'code']).describe('Leaving architect, the user chooses between ask and code'),
    plan: z
      .string()
      .max(100_000)
      .optional()
      .describe('Markdown: the changes, their locations, and how they are checked'),
  });

/** Changes the mode. Only the user can give the model more rights. */
export const switchModeTool: Tool = defineTool({
  name: 'switch-mode',
  kind: 'switch_mode',
  description:
    'Change the mode of the session: to architect, to read and plan first; or from architect with the plan, which the user approves or rejects.',
  effect: 'talks',
  input,
  async prepare({ mode, plan }, { turn }) {
    const current = modeOf(turn.session);
    if (mode === current) throw new ToolError(`The session is in mode ${mode} already.`);
    if (current === 'architect') return leave(turn, plan);
    if (mode === 'code')
      throw new ToolError(
        'Only the user can switch to mode code. Continue in this mode: the user is asked before each change.',
      );
    return {
      title: `Switch to mode ${modes.find(({ id }) => id === mode)?.name ?? mode}`,
      facts: {},
      run: () => enter(turn, mode),
    };
  },
});

/** Shows the plan to the user, whose choice is the mode. */
function leave(turn: Turn, plan: string | undefined): PreparedCall {
  const text = plan?.trim();
  if (!text) throw new ToolError('To leave mode architect, pass the plan: the user approves or rejects it.');
  let chosen: ModeId | undefined;
  return {
    title: 'Carry out this plan?',
    preview: [shownText(text)],
    facts: {},
    ask: async (report): Promise<Admission> => {
      const { outcome, option, feedback } = await turn.askPermission(report, choices);
      if (outcome === 'cancelled') return { outcome: 'dismissed' };
      if (outcome === 'rejected')
        return { outcome: 'refused', reason: feedback === undefined ? stays : `${stays} The user says: ${feedback}` };
      chosen = option?.optionId === 'code' ? 'code' : 'ask';
      return { outcome };
    },
    run: async () => ({ ...(await enter(turn, chosen ?? 'ask')), content: [] }),
  };
}

const choices: readonly PermissionOption[] = [
  { optionId: 'code', name: 'Yes, and do not ask about each step (mode Code)', kind: 'allow_always' },
  { optionId: 'ask', name: 'Yes, and ask before each change (mode Ask)', kind: 'allow_once' },
  {
    ...{ optionId: 'stay', name: 'No, stay in mode Architect', kind: 'reject_once' },
    _meta: { turnwire: { allowFeedback: true } satisfies TurnwireMeta['permission option'] },
  },
];

const stays =
  'The user does not agree to the plan; the session stays in mode architect. Ask what is missing, or work out a better one.';

async function enter(turn: Turn, mode: ModeId): Promise<{ readonly text: string }> {
  await turn.session.setMode(mode);
  return { text: entered[mode] };
}

const entered: Readonly<Record<ModeId, string>> = {
  architect:
    'The session is in mode architect now: read and plan, change nothing. Call switch-mode with the plan when it is complete.',
  ask: 'The session is in mode ask now: the user is asked before each change and each command.',
  code: 'The user agrees to the plan. The session is in mode code now: carry it out.',
};
