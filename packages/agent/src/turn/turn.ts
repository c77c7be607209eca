import type {
  ContentBlock,
  DefinitionOf,
  EditionTypes,
  Notice,
  PermissionOption,
  PlanEntry,
  PromptResponse,
  StopReason,
  ToolCall,
  UsageUpdate,
  V1,
} from '@turnwire/protocol';
import type { Session } from '../session/session.ts';
import type { UserAnswer, UserQuestion } from './ask-user.ts';
import type { CommandOutcome, CommandRequest } from './turn-commands.ts';
import type { CompactionReport } from './compaction-report.ts';
import type { TurnClient } from './turn-client.ts';
import type { TurnFiles } from './turn-files.ts';
import type { ToolContent, ToolReport } from './tool-report.ts';

/** How a turn ends: with `end_turn`, another stop reason, or a whole answer, which may hold `_meta`. */
export type PromptEnd = StopReason | PromptResponse | void;

/** A step of a plan: its text alone, or with priority and status. */
export type PlanStep = string | (Pick<PlanEntry, 'content'> & Partial<Pick<PlanEntry, 'priority' | 'status'>>);

/** The fields that announce a tool call. */
export type ToolAnnouncement = Pick<ToolCall, 'title' | 'kind' | 'name' | 'locations' | 'rawInput' | '_meta'> & {
  /** Default: a random UUID. It must be unique in the session. */
  readonly toolCallId?: string | undefined;
  /** The intended effect, such as the diff of an edit. */
  readonly content?: ToolContent | undefined;
};

/** The result of a permission question. Only `allowed` is approval. */
export interface PermissionAnswer {
  /** `cancelled`: the turn was cancelled, the question dismissed, or the client disconnected. */
  readonly outcome: 'allowed' | 'rejected' | 'cancelled';
  /** The chosen option. Absent without a valid choice. */
  readonly option?: PermissionOption;
  /**
   * The text of the user, such as the reason for a rejection: give it to the model. Only with an option that has
   * `_meta: { turnwire: { allowFeedback: true } }`; to other options, clients send such a text as a prompt.
   */
  readonly feedback?: string;
}

/** A part of the work, for a session that the client shows below this one. */
export interface ChildTask {
  /** The title of the session, for the user. */
  readonly title: string;
  /** The kind of subagent, or the agent that does it, by which permission rules of the client can name it. Default: the title. */
  readonly kind?: string | undefined;
  /** More about it, for the user. Default: none. */
  readonly description?: string | undefined;
  /** The task, which both sessions show as a message from one to the other. Default: none. */
  readonly message?: string | readonly ContentBlock[] | undefined;
  /**
   * True if the work continues after the turn: neither the end of the turn nor a cancel ends it, but the end of the session does. Clients of
   * version 2 see that it runs. Default false.
   */
  readonly background?: boolean | undefined;
}

/** A prompt that arrived during a turn and was taken into it. */
export interface WaitingPrompt {
  readonly prompt: readonly ContentBlock[];
  /** Its text blocks, joined by newlines. */
  readonly text: string;
  /** `_meta` of the prompt, as {@link Turn.meta} is. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/**
 * One prompt being answered: the prompt, and the means to answer it.
 *
 * Everything sent reaches the client in order and before the turn's answer; anything sent after that is dropped and logged. The promises
 * resolve when the connection accepts more: await them to keep pace with a slow client.
 */
export interface Turn<Memory = unknown, E extends EditionTypes = V1> {
  readonly session: Session<Memory>;
  /** The client's name and capabilities. */
  readonly client: TurnClient<E>;
  /** The prompt as received. */
  readonly prompt: readonly ContentBlock[];
  /** The text of the prompt; its text blocks are joined by newlines. */
  readonly text: string;
  /** `_meta` of the prompt: conventions of this client and agent beyond the protocol. Empty if absent. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Text files, through the client or on this machine. */
  readonly files: TurnFiles;
  /** Commands, in the client's terminals or on this machine. */
  readonly commands: TurnCommands;
  /** Aborts when the turn is cancelled, has ended or takes too long, or the client disconnects. Pass it on to anything that takes time. */
  readonly signal: AbortSignal;
  /**
   * Takes the prompts that wait behind this turn into it, oldest first, so that the user can steer it. They become part of this turn: they
   * end with its stop reason or error, and a cancel of one cancels the turn. Other prompts get their own turns. Empty if no prompt waits,
   * and once the turn was cancelled or has ended.
   *
   * With `steering`, clients learn a moment later that the turn has taken their prompt: updates sent before then appear to precede it. An
   * agent that answers without waiting should first let due events run (`setImmediate`).
   * @param isWanted called for each prompt in order; the first unwanted one stays in the queue, with all prompts behind it. Default: takes
   * all
   */
  takeWaiting(isWanted?: (waiting: WaitingPrompt) => boolean): readonly WaitingPrompt[];
  /**
   * Sends text to the user: Markdown, or any content, such as an image. Consecutive content is one message; a tool call or a thought starts
   * the next.
   */
  say(content: string | ContentBlock): Promise<void>;
  /**
   * Sends a text from the agent rather than its model, such as an error or a limit: one message that ends with a blank line, as does the
   * message before it. A client that shows all chunks in one stream therefore separates it from the surrounding text.
   */
  message(text: string): Promise<void>;
  /**
   * Ends the current message, with a blank line: many clients show the chunks of all messages in one stream. The next text starts another
   * message.
   */
  endMessage(): Promise<void>;
  /** Sends a part of the agent's reasoning. */
  think(content: string | ContentBlock): Promise<void>;
  /**
   * Sends any update unchanged, `_meta` included, for updates without a method here. It is stored as all updates are, unless the edition
   * adds it. A tool call sent this way is not ended automatically.
   */
  update(update: DefinitionOf<'SessionUpdate', E>): Promise<void>;
  /** Shows the plan: every step, each time. */
  plan(steps: readonly PlanStep[]): Promise<void>;
  /** Announces a tool call, which is then pending. A call left open is reported as failed when the turn ends. */
  tool(announcement: ToolAnnouncement): ToolReport;
  /**
   * Asks the user whether a tool may run. Unknown choices and error answers count as `rejected`. Rejects with `invalid-input` if two
   * options have the same id.
   * @param options the choices; the name of a lasting one states exactly what it allows. Default: allow once, reject once
   */
  askPermission(tool: ToolReport, options?: readonly PermissionOption[]): Promise<PermissionAnswer>;
  /** Asks the user to fill in a form or to visit a page. If the client cannot ask, the question is sent as a message. */
  askUser(question: UserQuestion): Promise<UserAnswer>;
  /** Reports the context usage in tokens, and the cost of the session so far. */
  usage(usage: UsageUpdate): Promise<void>;
  /** Shows a temporary notice, which is not stored. Clients without notices get a {@link Turn.message}, which is. */
  notice(notice: Notice): Promise<void>;
  /**
   * Does a part of the work in a child session. The client shows it below this session and may cancel it. Its updates are stored with those of
   * this session. Absent if the client does not support it; every client of version 2 does.
   * @param work does the task as a prompt handler answers a prompt, with a turn of the new session; `turn.session` is still this session
   * @returns the end of the work; rejects with the error that the work threw
   * @throws TurnwireError `invalid-input` while 64 sessions of this one work
   */
  readonly delegate?: (
    task: ChildTask,
    work: (turn: Turn<Memory, E>) => PromptEnd | Promise<PromptEnd>,
  ) => Promise<PromptResponse>;
  /** Starts a compaction of the conversation. One left open is reported as cancelled when the turn ends. */
  compaction(): CompactionReport;
}

/** Commands of a turn. */
export interface TurnCommands {
  /**
   * Runs a command as part of a tool call, which is reported as running and shows the output, each chunk once. It runs in a terminal of the
   * client if the client has them; else here, in a process group that ends with the command, the turn or this process. The call stays open:
   * complete or fail it according to the outcome.
   * @param tool the value returned by `turn.tool`
   * @throws the signal's reason when the turn is cancelled; an error when the command cannot be started
   */
  run(tool: ToolReport, command: CommandRequest): Promise<CommandOutcome>;
}
