import type { ChatSettings } from '../config/config.ts';
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
  /** The name of the agent until it reports one. */
  readonly agentName: string;
  readonly permissions: Permissions;
  /** The differences of a known agent. */
  readonly differences: AgentDifferences | undefined;
  /** The recorded sessions of this agent in this folder that can be continued, newest first. */
  readonly keptSessions: () => Promise<readonly KnownSession[]>;
  /** The time limit of a turn, in seconds. Absent: no limit. */
  readonly turnLimit?: number | undefined;
  readonly opening: ChatOpening;
  /** Opens a conversation: with a stored session, or a new one. */
  readonly open: (sessionId: string | undefined) => ChatSession;
  /** Called when the chat is over. */
  readonly close: () => Promise<void>;
  /** The file that stores prompts for later chats. Absent: prompts are not stored. */
  readonly promptsFile?: string | undefined;
  /** The user's settings of chats. */
  readonly settings: ChatSettings;
  /** Whether to suppress the bell, notifications and the window title. */
  readonly isQuiet?: boolean | undefined;
  /** The first steps for a new session without a prompt. Absent: none. */
  readonly firstSteps?: ((transcript: TranscriptView) => Promise<readonly FirstStep[]>) | undefined;
  /** Printed first. */
  readonly banner: (paint: Paint) => readonly string[];
}

/** The settings that the user chose in an earlier chat. */
export interface ChosenSettings {
  readonly modeId?: string;
  /** The values of the agent's options by option id. */
  readonly options: Readonly<Record<string, string | boolean>>;
}

/** The start of a chat. */
export interface ChatOpening {
  /** The agent's id of the session to continue. Absent: a new session. */
  readonly agentSessionId?: string;
  /** The first prompt. Absent: the user types it. */
  readonly first?: string;
  /** The settings to apply to new sessions. */
  readonly chosen?: ChosenSettings;
  /** Called with each session that is prompted. */
  readonly onRecorded?: (session: RecentSession) => void;
}
