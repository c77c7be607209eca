import { type AgentWork, type RequestPermissionRequest, type SessionUpdate, TurnwireError } from '@turnwire/protocol';
import { ToolCallFacts } from './tool-call-facts.ts';

/** A session that the agent has started for a part of the work. */
interface Child {
  readonly calls: ToolCallFacts;
  canCancel: boolean;
}

/** The work of a session besides its turn: child sessions, and work in the background. */
export class SessionWork {
  #children: Map<string, Child> | undefined;
  /** The ids of calls and sessions in the background. */
  #background: ReadonlySet<unknown> | undefined;

  note(update: SessionUpdate): void {
    if (update.sessionUpdate === 'subagent_update') {
      const { sessionId, capabilities } = update;
      const child = this.child(sessionId) ?? { calls: new ToolCallFacts(), canCancel: false };
      if (capabilities !== undefined) child.canCancel = Boolean(capabilities?.cancel);
      (this.#children ??= new Map()).set(sessionId, child);
    } else if ((update.sessionUpdate as string) === 'state_update') {
      const { background } = update as { readonly background?: readonly AgentWork[] | null };
      this.#background = new Set(background?.map(({ sessionId, toolCallId }) => sessionId ?? toolCallId));
    }
  }

  child(sessionId: string): Child | undefined {
    return this.#children?.get(sessionId);
  }

  isInBackground(id: string): boolean {
    return this.#background?.has(id) ?? false;
  }

  /** Whether a request belongs to work in the background, which does not end with the turn. */
  continues({ sessionId, toolCall }: RequestPermissionRequest): boolean {
    return this.isInBackground(sessionId) || this.isInBackground(toolCall.toolCallId);
  }

  /** Throws if the agent cannot cancel a child separately. */
  requireCancel(sessionId: string): void {
    if (this.child(sessionId)?.canCancel) return;
    throw new TurnwireError('not-advertised', `The agent cannot cancel the child session ${sessionId}`);
  }
}
