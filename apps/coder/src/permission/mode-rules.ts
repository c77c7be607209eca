import type { RuleEffect } from '@turnwire/permissions';
import type { ToolEffect } from '../tools/tool.ts';
import type { ModeId } from '../modes/modes.ts';

/** The refusal of a tool by a mode, with advice for the model. */
export function refusedByMode(mode: ModeId): string {
  return `Refused: in mode ${mode} nothing is changed and no command runs; nothing was done. Go on looking, or call switch-mode with your plan: the user decides.`;
}

/** How each mode decides about a call that no rule covers. `deny` is independent of rules: in that mode such a tool never runs. */
export const modeRules: Readonly<Record<ModeId, Readonly<Record<ToolEffect, RuleEffect>>>> = {
  ask: { looks: 'allow', reaches: 'ask', changes: 'ask', talks: 'allow' },
  code: { looks: 'allow', reaches: 'allow', changes: 'allow', talks: 'allow' },
  architect: { looks: 'allow', reaches: 'ask', changes: 'deny', talks: 'allow' },
};
