import type {
  AgentWork,
  AskingChild,
  RequestPermissionRequest,
  SessionUpdate,
  SubagentUpdate,
} from '@turnwire/protocol';
import { childOfSession, unnamed } from './asking-child.ts';
import { ToolCallFacts } from './tool-call-facts.ts';

/** A permission request of a child session, or of work that does not end with the turn. */
export interface AskedByWork {
  /** The child session that asks. */
  readonly child?: string;
  /** The child as rules and users know it. */
  readonly asking?: AskingChild;
  /** The tool calls of the child. */
  readonly calls?: ToolCallFacts;
  /** Whether the request belongs to work in the background, which does not end with the turn. */
  readonly continues: () => boolean;
}

/** An agent may announce any number of child sessions; those beyond this number are not followed. */
const mostChildren = 4_096;

/** A child session: its tool calls, and its name for rules and users. */
interface Child {
  readonly calls: ToolCallFacts;
  asking: AskingChild;
}

/** The work of a session besides its turn: child sessions, and work in the background. */
export class SessionWork {
  /** Made for the first: most sessions have none. */
  #children: Map<string, Child> | undefined;
  /** The ids of calls and sessions in the background. */
  #background: ReadonlySet<string | undefined> | undefined;

  /** Records an update of the session, or of a child session. */
  note(update: SessionUpdate, child?: string): void {
    if (update.sessionUpdate === 'subagent_update') this.#noteChild(update);
    if (child !== undefined) return this.#children?.get(child)?.calls.note(update);
    if ((update.sessionUpdate as string) !== 'state_update') return;
    const { background } = update as { readonly background?: readonly AgentWork[] | null };
    this.#background = new Set(background?.map(({ sessionId, toolCallId }) => sessionId ?? toolCallId));
  }

  /** Later updates may name a child for the first time, and never rename it: rules must apply to all of its work. */
  #noteChild(update: SubagentUpdate): void {
    const { sessionId } = update;
    const children = (this.#children ??= new Map<string, Child>());
    const known = children.get(sessionId);
    const isNamed = known !== undefined && known.asking.name !== unnamed.name;
    if (known && !isNamed) known.asking = childOfSession(update);
    if (known || children.size >= mostChildren) return;
    children.set(sessionId, { calls: new ToolCallFacts(), asking: childOfSession(update) });
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
    const child = this.#children?.get(sessionId);
    return {
      ...(child && { child: sessionId, ...child }),
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
