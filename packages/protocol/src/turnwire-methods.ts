import type { ListSessionsResponse, PromptRequest, SessionInfo } from './generated/types.ts';
import type { ReviewedChange, ReviewedText, ReviewOverview, ReviewResult, UnsentComment } from './review-view.ts';
import type { UsageDimension, UsageRow } from './usage-row.ts';
import type { AgentState, EventAuthor, TurnwireMeta } from './turnwire-meta.ts';

/**
 * The methods that a gateway adds to the protocol, one row each. `docs/guide/serve.md` explains them.
 *
 * - `to`: the side that handles the method. A gateway answers requests with `result`; clients receive notifications
 * - `Event`: the type of the events of a session. `@turnwire/client/gateway` names it, since `protocol` does not know transcripts
 */
export interface TurnwireMethods<Event = unknown> {
  /** Moves a waiting prompt to the front of the queue, whichever client sent it. False: its turn has begun or ended. */
  readonly '_turnwire/advance': ToGateway<Turn, { readonly advanced: boolean }>;
  /** Logs in at the agent of a session, by one of its login methods. */
  readonly '_turnwire/authenticate': ToGateway<InSession & { readonly methodId: string }, object>;
  /** Cancels a tool call, a terminal or a child session of the agent, and nothing else. Updates report its end. */
  readonly '_turnwire/cancel_work': ToGateway<InSession & { readonly work: AgentWork }, object>;
  /** Queues a prompt. The answer does not wait for its turn. */
  readonly '_turnwire/enqueue': ToGateway<PromptRequest, { readonly turnId: string }>;
  /** Forks a session at the agent only: the gateway does not add the fork to its sessions. Needs the scope `admin`. */
  readonly '_turnwire/fork': ToGateway<
    InSession & { readonly _meta?: { readonly turnwire: TurnwireMeta['session/fork'] } },
    SessionFork
  >;
  /** Reads a page of the log: after the cursor `after`, or from `last` events before the end. `limit`: 2,000 events at most. */
  readonly '_turnwire/history': ToGateway<
    InSession & { readonly after?: string; readonly last?: number; readonly limit?: number },
    HistoryPage<Event>
  >;
  /** Moves a session to another server, named by its number or address: after its turn, or after `seconds`. Needs the scope `admin`. */
  readonly '_turnwire/move': ToGateway<InSession & { readonly to: string; readonly seconds?: number }, object>;
  /** Changes the title of a session. */
  readonly '_turnwire/rename': ToGateway<InSession & { readonly title: string }, object>;
  /** Ends the agent of a session if it runs, and starts it again. */
  readonly '_turnwire/restart': ToGateway<InSession, object>;
  /**
   * Reads the changes in the folder of a session since the last review, made by any program. As for all methods of the review, the client must not be an
   * observer.
   */
  readonly '_turnwire/review': ToGateway<InSession, ReviewOverview>;
  /** Adds a comment on a changed file or its lines, for the agent. */
  readonly '_turnwire/review_comment': ToGateway<InSession & Pick<UnsentComment, 'path' | 'lines' | 'text'>, object>;
  /** Commits what was accepted, without the hooks of the repository. `message`: default: the proposed one. Needs access to the whole repository. */
  readonly '_turnwire/review_commit': ToGateway<
    InSession & { readonly message?: string },
    { readonly commit: string; readonly files: readonly string[]; readonly skippedHooks: boolean }
  >;
  /** Accepts changes, or takes them back in the files. A rejection becomes a comment for the agent. */
  readonly '_turnwire/review_decide': ToGateway<
    InSession & { readonly decision: 'accept' | 'reject'; readonly changes: readonly ReviewedChange[] },
    ReviewResult
  >;
  /** Reads the changes of one file. */
  readonly '_turnwire/review_file': ToGateway<InSession & { readonly path: string }, ReviewedText>;
  /** Removes a comment that was not sent. */
  readonly '_turnwire/review_forget': ToGateway<InSession & { readonly comment: UnsentComment }, object>;
  /** Returns the changes as a patch for `git apply`, as base64: files may have any encoding. Refused if it has more than 32 MiB. */
  readonly '_turnwire/review_patch': ToGateway<InSession, { readonly patch: string }>;
  /** Queues all comments as a prompt. */
  readonly '_turnwire/review_send': ToGateway<InSession, { readonly turnId: string }>;
  /** Takes back what a finished turn of the session changed. */
  readonly '_turnwire/review_undo': ToGateway<
    InSession & { readonly turn: number },
    ReviewResult & { readonly restored: readonly string[] }
  >;
  /**
   * Finds the sessions that `session/list` lists by their titles, prompts, messages and tool calls: those with words that begin with all words of
   * `text`, up to 1,000 characters. Those with the newest match come first. `limit`: the number of sessions, from 1 to 50, default 20.
   */
  readonly '_turnwire/search': ToGateway<
    { readonly text: string; readonly limit?: number },
    { readonly sessions: readonly FoundSession[] }
  >;
  /** Lists the other sessions of the agent in a folder, page by page. Needs the scope `admin`. */
  readonly '_turnwire/sessions': ToGateway<
    InSession & { readonly cwd: string; readonly cursor?: string | undefined },
    ListSessionsResponse
  >;
  /** Reads the state of the agent and the queue. */
  readonly '_turnwire/status': ToGateway<
    InSession,
    { readonly state: AgentState; readonly waiting: readonly WaitingPrompt[] }
  >;
  /** Sends a waiting prompt into the running turn. True: the agent has read it. False: it still waits. */
  readonly '_turnwire/steer': ToGateway<Turn, { readonly steered: boolean }>;
  /**
   * Adds up the usage of the tenant, including that of deleted sessions. `days`: only the last days of the
   * server, from 1 to 36,500, of which today is the last. Default: all. A client that is limited to one session sees only its turns.
   */
  readonly '_turnwire/usage': ToGateway<
    { readonly by?: UsageDimension; readonly days?: number },
    { readonly rows: readonly UsageRow[] }
  >;
  /** Removes a waiting prompt, whichever client sent it. False: its turn has begun or ended. */
  readonly '_turnwire/withdraw': ToGateway<Turn, { readonly withdrawn: boolean }>;
  /** Sends an event that is not an update of the protocol. An event without a cursor happened before the client attached. */
  readonly '_turnwire/event': ToClient<InSession & { readonly cursor?: string; readonly event: Event }>;
  /** Sends events in order, including updates. */
  readonly '_turnwire/events': ToClient<InSession & { readonly events: readonly PlacedEvent<Event>[] }>;
  /** Sends the whole queue after every change, in the order in which the prompts will run. */
  readonly '_turnwire/queue': ToClient<InSession & { readonly waiting: readonly WaitingPrompt[] }>;
  /** Sends the state of the agent after every change. */
  readonly '_turnwire/state': ToClient<InSession & { readonly state: AgentState }>;
}

interface ToGateway<Params, Result> {
  readonly to: 'gateway';
  readonly params: Params;
  readonly result: Result;
}

interface ToClient<Params> {
  readonly to: 'client';
  readonly params: Params;
}

interface InSession {
  readonly sessionId: string;
}

interface Turn extends InSession {
  /** Or the key of its prompt. */
  readonly turnId: string;
}

/** Work of an agent, with the id of its call, terminal or session. Other types have other fields. */
export interface AgentWork {
  readonly type: 'tool_call' | 'terminal' | 'subagent' | (string & {});
  readonly toolCallId?: string;
  readonly terminalId?: string;
  readonly sessionId?: string;
}

/** The requests of {@link TurnwireMethods}. */
export type TurnwireRequest = {
  [Method in keyof TurnwireMethods]: TurnwireMethods[Method] extends { readonly to: 'gateway' } ? Method : never;
}[keyof TurnwireMethods];

/** The notifications of {@link TurnwireMethods}. */
export type TurnwireNotification = Exclude<keyof TurnwireMethods, TurnwireRequest>;

/** An event with its place in the log. */
export interface PlacedEvent<Event = unknown> {
  /** The epoch and the number of the event, such as `1.42`. */
  readonly cursor: string;
  readonly event: Event;
}

/** A page of the log of a session. */
export interface HistoryPage<Event = unknown> {
  /** The cursor before the first event of the page. `0.0`: the page begins with the session. */
  readonly start: string;
  readonly events: readonly PlacedEvent<Event>[];
  /** The cursor of the last event of the session. */
  readonly head: string;
  /** With `last`: earlier events that still apply, oldest first. */
  readonly standing?: readonly Event[];
}

/** A session that a search has found. */
export interface FoundSession {
  /** As `session/list` returns it. */
  readonly session: SessionInfo;
  /** Up to 3, the newest first. */
  readonly matches: readonly TextMatch[];
}

/** A text that a search has found. */
export interface TextMatch {
  /** The title of the session, a prompt, a message of the agent, or the title and command of a tool call. */
  readonly kind: 'title' | 'prompt' | 'message' | 'call';
  /** The cursor of its first event; `0.0` for a title. */
  readonly cursor: string;
  /** The time of that event, in milliseconds since 1970. */
  readonly at: number;
  /** The text around the first found word: about 160 characters. */
  readonly text: string;
  /** The beginning and the end of each found word in `text`, in UTF-16 units. */
  readonly marks: readonly (readonly [from: number, to: number])[];
}

/** A prompt in the queue of a gateway. */
export interface WaitingPrompt {
  readonly turnId: string;
  readonly by: EventAuthor;
  /** The first 1,000 characters of its text. */
  readonly text: string;
  /** The key from its client. */
  readonly key?: string;
}

/** A fork at an agent. */
export interface SessionFork {
  /** The agent's id of the fork. */
  readonly agentSessionId: string;
  /** A report on the restored files, as Markdown. */
  readonly restored?: string;
}
