import type { ChatSession } from '../sessions/chat-session.ts';
import type { AgentDifferences } from '@turnwire/client/known-agents';
import type { TranscriptView } from '@turnwire/client/transcript';
import type { Permissions } from '@turnwire/permissions';
import type { KnownSession } from '../store/known-sessions.ts';
import type { RecentSession } from '../store/recent-session.ts';
import type { FirstStep } from './first-steps.ts';
import type { Terminal } from '../terminal/lines.ts';
import type { Paint } from '../terminal/paint.ts';

/** The options of a chat. */
export interface ChatOptions {
  readonly terminal: Terminal;
  readonly cwd: string;
  /** The agent's name until it reports one. */
  readonly agentName: string;
  readonly permissions: Permissions;
  /** Facts about the agent, if it is a known one. */
  readonly differences: AgentDifferences | undefined;
  /** The sessions of this agent in this folder that can be gone on with, as far as they are known here, newest first. */
  readonly keptSessions: () => Promise<readonly KnownSession[]>;
  /** Seconds a turn may take. Absent: no limit. */
  readonly turnLimit?: number | undefined;
  readonly opening: ChatOpening;
  /** Opens a conversation: with a stored session, or a new one. */
  readonly open: (sessionId: string | undefined) => ChatSession;
  /** Called when the chat is over. */
  readonly close: () => Promise<void>;
  /** Where prompts are stored for later chats. Absent: nowhere. */
  readonly promptsFile?: string | undefined;
  /** The user is not called when a question waits or a turn is over. */
  readonly isQuiet?: boolean | undefined;
  /** What is offered when a new session is there and nothing was asked yet. Absent: nothing. */
  readonly firstSteps?: ((transcript: TranscriptView) => Promise<readonly FirstStep[]>) | undefined;
  /** Printed first. */
  readonly banner: (paint: Paint) => readonly string[];
}

/** What was chosen in an earlier chat. */
export interface ChosenSettings {
  readonly modeId?: string;
  /** Ids of options of the agent, with their values. */
  readonly options: Readonly<Record<string, string | boolean>>;
}

/** How a chat begins. */
export interface ChatOpening {
  /** The agent's id of the session to go on with. Absent: a new one. */
  readonly agentSessionId?: string;
  /** The first prompt. Absent: the user types it. */
  readonly first?: string;
  /** What to choose again in new sessions. */
  readonly chosen?: ChosenSettings;
  /** Called with each session that is prompted. */
  readonly onRecorded?: (session: RecentSession) => void;
}
