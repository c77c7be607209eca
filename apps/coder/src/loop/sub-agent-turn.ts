import type { CoderTurn } from '../session/session-memory.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { readEntry } from '../conversation/kept-conversation.ts';

/**
 * The turn of a sub-agent: that of its session, with a conversation of its own that is not stored. Its tool calls are shown below the call that
 * started it, its words are not shown: the last ones are its report.
 */
export class SubAgentTurn {
  readonly turn: CoderTurn;
  #text = '';

  /** @param own `parent` is the id of the call that started it */
  constructor(
    turn: CoderTurn,
    { conversation, parent }: { readonly conversation: Conversation; readonly parent: string },
  ) {
    const { session } = turn;
    const nothing = (): Promise<void> => Promise.resolve();
    this.turn = withChanges(turn, {
      session: withChanges(session, {
        memory: { ...session.memory, conversation },
        // Rules that were added, what was read and what was used count for the session.
        keep: (value) => (readEntry(value) === undefined ? session.keep(value) : nothing()),
      }),
      say: (content) => {
        if (typeof content === 'string') this.#text += content;
        return nothing();
      },
      tool: ({ _meta, ...announcement }) => {
        this.#text = '';
        return turn.tool({ ...announcement, _meta: { ..._meta, claudeCode: { parentToolUseId: parent } } });
      },
      think: nothing,
      // What is for the user of an agent of its own: why it was stopped is a part of the result.
      message: nothing,
      endMessage: nothing,
      // How full its context is does not concern the user.
      usage: nothing,
      compaction: () => ({ summarize: nothing, complete: nothing, fail: nothing }),
      takeWaiting: () => [],
    });
  }

  /** What it has said since its last tool call. */
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
