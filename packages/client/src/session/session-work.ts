import type { AgentWork, RequestPermissionRequest, SessionUpdate } from '@turnwire/protocol';
import { ToolCallFacts } from './tool-call-facts.ts';

/** A permission request of a child session, or of work that does not end with the turn. */
export interface AskedByWork {
  /** The child session that asks. */
  readonly child?: string;
  /** The tool calls of the child. */
  readonly calls?: ToolCallFacts;
  /** Whether the request belongs to work in the background, which does not end with the turn. */
  readonly continues: () => boolean;
}

/** An agent may announce any number of child sessions; those beyond this number are not followed. */
const mostChildren = 4_096;

/** The work of a session besides its turn: child sessions, and work in the background. */
export class SessionWork {
  /** Made for the first: most sessions have none. */
  #children: Map<string, ToolCallFacts> | undefined;
  /** The ids of calls and sessions in the background. */
  #background: ReadonlySet<string | undefined> | undefined;

  /** Records an update of the session, or of a child session. */
  note(update: SessionUpdate, child?: string): void {
    if (update.sessionUpdate === 'subagent_update' && !this.hasChild(update.sessionId)) {
      const children = (this.#children ??= new Map());
      if (children.size < mostChildren) children.set(update.sessionId, new ToolCallFacts());
    }
    if (child !== undefined) return this.#children?.get(child)?.note(update);
    if ((update.sessionUpdate as string) !== 'state_update') return;
    const { background } = update as { readonly background?: readonly AgentWork[] | null };
    this.#background = new Set(background?.map(({ sessionId, toolCallId }) => sessionId ?? toolCallId));
  }

  /** Whether the agent has announced a child session. */
  hasChild(sessionId: string): boolean {
    return this.#children?.has(sessionId) === true;
  }

  /** Whether a tool call, terminal or child session continues in the background. */
  isInBackground(id: string): boolean {
    return this.#background?.has(id) === true;
  }

  /** The work that a permission request belongs to. */
  asked({ sessionId, toolCall }: RequestPermissionRequest): AskedByWork {
    const calls = this.#children?.get(sessionId);
    return {
      ...(calls && { child: sessionId, calls }),
      continues: () => this.isInBackground(sessionId) || this.isInBackground(toolCall.toolCallId),
    };
  }
}

/**
 * The value of the option `childSessions`: the client receives the updates and permission requests of sessions that the agent starts for
 * parts of the work.
 */
export function childSessions(): SessionWork {
  return new SessionWork();
}
