import type { Session, Turn } from '@turnwire/agent';
import type { Settings } from '../config/settings.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { SessionUsage } from './session-usage.ts';
import type { HireableAgent, HireableAgents } from '../config/hireable-agents.ts';
import type { McpConnections } from '../mcp/mcp-connections.ts';
import type { ModelCatalog } from '../model/model-catalog.ts';
import type { PromptFile } from '../prompt-files/find-prompt-files.ts';
import type { SessionPermissions } from '../permission/session-permissions.ts';
import type { BackgroundCommands } from '../process/background-commands.ts';
import type { TurnFiles } from '../undo/turn-files.ts';
import type { SessionFiles } from '../workspace/session-files.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The agent's state of one session. */
export interface SessionMemory {
  readonly workspace: Workspace;
  /** Text files in the client or on the disk, and which of them were read. */
  readonly files: SessionFiles;
  /** The state of files before each turn changed them. */
  readonly turnFiles: TurnFiles;
  /** The messages so far, as models accept them. */
  readonly conversation: Conversation;
  /** The usage of models so far. */
  readonly usage: SessionUsage;
  /** The instruction files that the user was last shown. */
  readonly shownInstructions: { files: string };
  /** The rules that allow, ask and deny. */
  readonly permissions: SessionPermissions;
  /** The agent's settings for this session. */
  readonly settings: Settings;
  /** Warnings about the settings that the user has not seen; the next prompt shows and removes them. */
  readonly settingsWarnings: string[];
  /** The models to choose from. */
  readonly models: ModelCatalog;
  /** Undefined: no MCP servers are configured. */
  readonly mcp: McpConnections | undefined;
  /** The prompts in files that the session began with. */
  readonly promptFiles: readonly PromptFile[];
  /** The agents that the model can hire; those of the folder are listed when a model is first called. Undefined: none. */
  readonly hireable: (HireableAgents & { readonly listed: () => Promise<readonly HireableAgent[]> }) | undefined;
  /** The background commands. */
  readonly background: BackgroundCommands;
}

/** A session of the coding agent. */
export type CoderSession = Session<SessionMemory>;

/** A turn of the coding agent. */
export type CoderTurn = Turn<SessionMemory>;
