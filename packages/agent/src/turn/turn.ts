import type { ContentBlock, PermissionOption, PlanEntry, ToolCall } from '@agentwire/protocol';
import type { Session } from '../session/session.ts';
import type { TurnClient } from './turn-client.ts';
import type { ToolContent, ToolReport } from './tool-report.ts';

/** A step of a plan: its text alone, or with how far it is. */
export type PlanStep = string | (Pick<PlanEntry, 'content'> & Partial<Pick<PlanEntry, 'priority' | 'status'>>);

/** What a tool call is announced with. */
export type ToolAnnouncement = Pick<ToolCall, 'title' | 'kind' | 'name' | 'locations' | 'rawInput'> & {
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
  /** Aborts when the turn is cancelled or the client is gone. Pass it on to whatever takes time. */
  readonly signal: AbortSignal;
  /** Says something to the person, in Markdown. Texts said in a row are one message; a tool call or a thought begins the next. */
  say(text: string): Promise<void>;
  /** Thinks aloud. */
  think(text: string): Promise<void>;
  /** Shows the plan: every step, each time. */
  plan(steps: readonly PlanStep[]): Promise<void>;
  /** Announces a tool call, which is then pending. One left open is reported as failed when the turn ends. */
  tool(announcement: ToolAnnouncement): ToolReport;
  /**
   * Asks the person whether a tool may run. Doubt is refusal: an unknown choice and an error answer count as `rejected`.
   * @param options what to choose from. Default: allow once, reject once
   */
  askPermission(tool: ToolReport, options?: readonly PermissionOption[]): Promise<PermissionAnswer>;
}
