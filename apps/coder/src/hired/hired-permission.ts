import { optionOfKind, type PermissionDecision } from '@turnwire/client';
import type { PermissionContext, RequestPermissionRequest, ToolCallUpdate } from '@turnwire/protocol';
import { askWith } from '../permission/admit.ts';
import { modeOf } from '../modes/modes.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import type { ShownCalls } from './shown-calls.ts';

/** Decides what a hired agent may do: by the mode, the rules and the limits of the session that hires it, and by asking its user. */
export class HiredPermission {
  readonly #turn: CoderTurn;
  readonly #name: string;
  readonly #calls: ShownCalls;
  readonly #asked = new Set<string>();
  readonly #reported = new Set<string>();

  /** @param name that of the agent, for rules */
  constructor(turn: CoderTurn, name: string, calls: ShownCalls) {
    this.#turn = turn;
    this.#name = name;
    this.#calls = calls;
  }

  /** Answers a permission request. The agent itself never remembers an answer if it can answer once. */
  async decide(
    { toolCall, options }: RequestPermissionRequest,
    { feedback }: Pick<PermissionContext, 'feedback'>,
  ): Promise<PermissionDecision> {
    this.#asked.add(toolCall.toolCallId);
    const { permissions } = this.#turn.session.memory;
    const { action, decision } = permissions.judgeHired(toolCall, this.#name, modeOf(this.#turn.session));
    const reject = (reason: string | undefined): PermissionDecision => {
      if (reason !== undefined) feedback?.(reason);
      return optionOfKind(options, 'reject_once', 'reject_always');
    };
    if (decision.effect === 'deny') return reject(decision.reason);
    if (decision.effect === 'ask') {
      const admission = await askWith(this.#turn, this.#calls.show(toolCall), {
        proposal: decision.rule ? undefined : permissions.proposedRuleFor(action),
        paths: action.paths,
        judgeAgain: () => permissions.judgeHired(toolCall, this.#name, modeOf(this.#turn.session)).decision,
      });
      if (admission.outcome === 'dismissed') return undefined;
      if (admission.outcome === 'refused') return reject(admission.feedback);
    }
    return optionOfKind(options, 'allow_once', 'allow_always');
  }

  /**
   * Judges a call that is completed. Throws if it ran without asking although the mode or a rule denies it: then the agent must not continue. If
   * only the question was missing, the user gets a notice.
   */
  completed(call: ToolCallUpdate): void {
    const isHarmless = !/^(?:edit|delete|move|execute)$/.test(call.kind ?? 'other');
    if (isHarmless || this.#asked.has(call.toolCallId) || this.#reported.has(call.toolCallId)) return;
    this.#reported.add(call.toolCallId);
    const { session } = this.#turn;
    const { decision } = session.memory.permissions.judgeHired(call, this.#name, modeOf(session));
    if (decision.effect === 'allow') return;
    const what = `The agent ${this.#name} did this without asking: ${call.title}`;
    if (decision.effect === 'deny') throw new RanUnasked(`${what}. It was stopped; ${decision.reason}`);
    void this.#turn.notice({ severity: 'warning', title: what });
  }
}

/** A hired agent did what it may not do. */
export class RanUnasked extends Error {}
