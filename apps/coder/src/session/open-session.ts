import type { SessionSetup } from '@agentwire/agent';
import { invalidParams } from '@agentwire/protocol';
import type { CoderOptions } from '../coder-options.ts';
import { Conversation } from '../conversation/conversation.ts';
import { McpConnections } from '../mcp/mcp-connections.ts';
import { singleModel } from '../model/model-catalog.ts';
import { SessionPermissions } from '../permission/session-permissions.ts';
import { BackgroundCommands } from '../process/background-commands.ts';
import { ToolError } from '../tools/tool-error.ts';
import { Checkpoints } from '../undo/checkpoints.ts';
import { SessionFiles } from '../workspace/session-files.ts';
import { Workspace } from '../workspace/workspace.ts';
import type { SessionMemory } from './session-memory.ts';

/** Begins a session, or goes on with a stored one. */
export async function openSession(setup: SessionSetup, options: CoderOptions): Promise<SessionMemory> {
  const { offlineModel } = await import('../model/offline/offline-model.ts');
  const workspace = await openWorkspace(setup);
  return {
    workspace,
    files: new SessionFiles(),
    checkpoints: new Checkpoints(),
    conversation: new Conversation(setup.restored?.kept),
    permissions: new SessionPermissions(),
    models: singleModel(options.model ?? offlineModel),
    mcp: McpConnections.connect(setup.mcpServers, { cwd: workspace.cwd }),
    background: new BackgroundCommands(),
  };
}

/** Gives back what a session has taken. */
export async function closeSession({ mcp, background }: SessionMemory): Promise<void> {
  await Promise.all([mcp.close(), background.stopAll()]);
}

async function openWorkspace({ cwd, additionalDirectories }: SessionSetup): Promise<Workspace> {
  try {
    return await Workspace.open(cwd, additionalDirectories);
  } catch (error) {
    if (error instanceof ToolError) throw invalidParams(`The session cannot begin: ${error.message}`);
    throw error;
  }
}
