import type { CoderTurn } from '../session/session-memory.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { readEntry } from '../conversation/kept-conversation.ts';

/**
 * The turn of a sub-agent: a turn with a separate conversation that is not stored. If the client shows no sessions of sub-agents, it is the
 * turn of the session: tool calls are shown below the call that started it, and its texts are not shown. The last text is its report.
 */
export class SubAgentTurn {
  readonly turn: CoderTurn;
  #text = '';

  /**
   * @param own `kind` is its name in rules; `parent` is the id of the call that started it, absent if the turn is that of a session of the
   * sub-agent
   */
  constructor(
    turn: CoderTurn,
    {
      conversation,
      kind,
      parent,
    }: { readonly conversation: Conversation; readonly kind: string; readonly parent?: string },
  ) {
    const { session } = turn;
    const nothing = (): Promise<void> => Promise.resolve();
    this.turn = withChanges(turn, {
      session: withChanges(session, {
        memory: { ...session.memory, conversation, permissions: session.memory.permissions.ofChild(kind) },
        // Added rules, read files and usage are stored with the session.
        keep: (value) => (readEntry(value) === undefined ? session.keep(value) : nothing()),
      }),
      say: (content) => {
        if (typeof content === 'string') this.#text += content;
        return parent === undefined ? turn.say(content) : nothing();
      },
      tool: ({ _meta, ...announcement }) => {
        this.#text = '';
        const below = parent !== undefined && { claudeCode: { parentToolUseId: parent } };
        return turn.tool({ ...announcement, ...((_meta || below) && { _meta: { ..._meta, ...below } }) });
      },
      ...(parent !== undefined && { think: nothing }),
      // The reason why it was stopped is part of the result, not a message to the user.
      message: nothing,
      endMessage: nothing,
      // The context usage of a sub-agent is not shown.
      usage: nothing,
      compaction: () => ({ summarize: nothing, complete: nothing, fail: nothing }),
      takeWaiting: () => [],
    });
  }

  /** Its text since its last tool call. */
  get lastText(): string {
    return this.#text.trim();
  }
}

/** An object with some members replaced. The others work on the object itself. */
function withChanges<Whole extends object>(whole: Whole, changes: Partial<Whole>): Whole {
  return new Proxy(whole, {
    get: (target, name) => {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name) as unknown;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
