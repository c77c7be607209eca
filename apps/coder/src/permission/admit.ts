import type { ToolReport } from '@agentwire/agent';
import type { CoderTurn } from '../session/session-memory.ts';
import type { PreparedCall, Tool } from '../tools/tool.ts';

/** A call that is about to run. */
export interface CallToAdmit {
  readonly tool: Tool;
  readonly prepared: PreparedCall;
  readonly report: ToolReport;
}

/** Whether a call may run. */
export type Admission =
  | { readonly outcome: 'allowed' }
  /** With the reason, for the model and the person: which rule, which mode, or that the person said no. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** The person wants the turn to end. */
  | { readonly outcome: 'dismissed' };

/** Decides whether a call may run: by the mode, by the rules, or by asking the person. Never throws. */
export async function admit(turn: CoderTurn, { tool, report }: CallToAdmit): Promise<Admission> {
  if (tool.effect === 'looks' || tool.effect === 'talks') return { outcome: 'allowed' };
  const { outcome } = await turn.askPermission(report);
  if (outcome === 'allowed') return { outcome };
  return outcome === 'rejected'
    ? { outcome: 'refused', reason: 'Permission was refused; nothing was changed.' }
    : { outcome: 'dismissed' };
}
