import type {
  ContentBlock,
  Notice,
  PermissionOption,
  PlanEntry,
  SessionUpdate,
  ToolCall,
  UsageUpdate,
} from '@turnwire/protocol';
import type { Session } from '../session/session.ts';
import type { UserAnswer, UserQuestion } from './ask-user.ts';
import type { CommandOutcome, CommandRequest } from './commands/turn-commands.ts';
import type { CompactionReport } from './compaction-report.ts';
import type { TurnClient } from './turn-client.ts';
import type { TurnFiles } from './turn-files.ts';
import type { ToolContent, ToolReport } from './tool-report.ts';

/** A step of a plan: its text alone, or with how far it is. */
export type PlanStep = string | (Pick<PlanEntry, 'content'> & Partial<Pick<PlanEntry, 'priority' | 'status'>>);

/** What a tool call is announced with. */
export type ToolAnnouncement = Pick<ToolCall, 'title' | 'kind' | 'name' | 'locations' | 'rawInput' | '_meta'> & {
  /** Default: a random UUID. No other call of the session has it. */
  readonly toolCallId?: string | undefined;
  /** What it is about to do, such as the diff of an edit. */
  readonly content?: ToolContent | undefined;
};

/** What came of asking for permission. Only `allowed` is approval. */
export interface PermissionAnswer {
  /** `cancelled`: the turn was cancelled, the question dismissed, or the client is gone. */
  readonly outcome: 'allowed' | 'rejected' | 'cancelled';
  /** The option chosen. Absent when there was no valid choice. */
  readonly option?: PermissionOption;
}

/** A prompt that came while a turn was running, and was taken into it. */
export interface WaitingPrompt {
  readonly prompt: readonly ContentBlock[];
  /** Its text blocks, joined by newlines. */
  readonly text: string;
  /** `_meta` of the prompt, as {@link Turn.meta} is. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/**
 * One prompt being answered: what was asked, and the means to answer.
 *
 * Whatever is sent reaches the client in order and before the turn's answer; what is sent after it is dropped and logged.
 * The promises resolve when there is room to send more: awaiting them keeps pace with a slow client.
 */
export interface Turn<Memory = unknown> {
  readonly session: Session<Memory>;
  /** What the client said of itself, and what it does for agents. */
  readonly client: TurnClient;
  /** The prompt as it came. */
  readonly prompt: readonly ContentBlock[];
  /** The text of the prompt; its text blocks are joined by newlines. */
  readonly text: string;
  /** `_meta` of the prompt: what this client and this agent have agreed on beside the protocol. Empty if there is none. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Text files, through the client or on this machine. */
  readonly files: TurnFiles;
  /** Commands, in the client's terminals or on this machine. */
  readonly commands: TurnCommands;
  /** Aborts when the turn is cancelled, over or too long, or the client is gone. Pass it on to whatever takes time. */
  readonly signal: AbortSignal;
  /**
   * Takes the prompts that wait behind this turn into it, oldest first, so that the user can steer what runs. Those taken are this
   * turn's to answer: they end when it ends, with its stop reason or its error, and a cancel of one is a cancel of the turn. What is not
   * taken gets a turn of its own. Empty when none waits, and once the turn was cancelled or is over.
   * @param isWanted asked of each in turn; the first that is not wanted waits on, with all behind it. Default: all are
   */
  takeWaiting(isWanted?: (waiting: WaitingPrompt) => boolean): readonly WaitingPrompt[];
  /**
   * Says something to the user: Markdown, or any content, such as an image. What is said in a row is one message; a tool call or a
   * thought begins the next.
   */
  say(content: string | ContentBlock): Promise<void>;
  /**
   * Says a text of the agent's own rather than of its model, such as an error or a limit: one whole message that ends with a blank line,
   * as does what was said before it. A client that shows all chunks in one stream keeps it apart from what comes before and after.
   */
  message(text: string): Promise<void>;
  /**
   * Ends the message that is being said, with a blank line: many clients show the chunks of all messages in one stream. What is said next
   * is another message.
   */
  endMessage(): Promise<void>;
  /** Thinks aloud. */
  think(content: string | ContentBlock): Promise<void>;
  /**
   * Sends any update as it is, `_meta` included, for what has no method here. It is stored as all updates are. Of a tool call that is sent
   * this way nobody sees to it that it ends.
   */
  update(update: SessionUpdate): Promise<void>;
  /** Shows the plan: every step, each time. */
  plan(steps: readonly PlanStep[]): Promise<void>;
  /** Announces a tool call, which is then pending. One left open is reported as failed when the turn ends. */
  tool(announcement: ToolAnnouncement): ToolReport;
  /**
   * Asks the user whether a tool may run. Doubt is refusal: an unknown choice and an error answer count as `rejected`. Rejects with
   * `invalid-input` if two options have the same id.
   * @param options what to choose from; the name of one that holds for longer says exactly what it allows. Default: allow once,
   * reject once
   */
  askPermission(tool: ToolReport, options?: readonly PermissionOption[]): Promise<PermissionAnswer>;
  /** Asks the user something else: to fill in a form or to visit a page. Where the client cannot ask, the question is said as a message. */
  askUser(question: UserQuestion): Promise<UserAnswer>;
  /** Tells how full the model's context is, in tokens, and what the session has cost so far. */
  usage(usage: UsageUpdate): Promise<void>;
  /** Tells something by the way, which is not kept. Clients without notices get a {@link Turn.message}, which is. */
  notice(notice: Notice): Promise<void>;
  /** Begins to compact the conversation. One left open is reported as cancelled when the turn ends. */
  compaction(): CompactionReport;
}

/** Commands of a turn. */
export interface TurnCommands {
  /**
   * Runs a command as what a tool call does: it is reported as running and shows what it prints, each piece once. It runs in a
   * terminal of the client if there are any; else here, in a process group that ends with the command, the turn or this process.
   * The call stays open: complete or fail it with what you make of the outcome.
   * @param tool what `turn.tool` returned
   * @throws the signal's reason when the turn is cancelled; an error when the command cannot be started
   */
  run(tool: ToolReport, command: CommandRequest): Promise<CommandOutcome>;
}
