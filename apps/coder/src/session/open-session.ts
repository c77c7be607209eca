import { dirname, join } from 'node:path';
import { sessionStore } from '@turnwire/agent/node';
import type { SessionSetup } from '@turnwire/agent';
import { stateFolder } from '@turnwire/machine';
import { invalidParams } from '@turnwire/protocol';
import type { Environment } from '../config/environment.ts';
import type { CoderOptions } from '../config/coder-options.ts';
import { Conversation } from '../conversation/conversation.ts';
import type { HireableAgent, HireableAgents } from '../config/hireable-agents.ts';
import { SessionUsage } from './session-usage.ts';
import { configuredServers } from '../mcp/configured-servers.ts';
import type { McpConnections } from '../mcp/mcp-connections.ts';
import { readSettings } from '../config/settings.ts';
import { openModels } from '../model/open-models.ts';
import { findPromptFiles } from '../prompt-files/find-prompt-files.ts';
import { SessionPermissions } from '../permission/session-permissions.ts';
import { BackgroundCommands } from '../process/background-commands.ts';
import { ToolError } from '../tool-error.ts';
import { TurnFiles } from '../undo/turn-files.ts';
import { SessionFiles } from '../workspace/session-files.ts';
import { Workspace } from '../workspace/workspace.ts';
import { forgetOldSessions } from './forget-old-sessions.ts';
import type { SessionMemory } from './session-memory.ts';

/** Opens a new session, or a stored one. */
export async function openSession(setup: SessionSetup, options: CoderOptions): Promise<SessionMemory> {
  const workspace = await Workspace.open(setup.cwd, setup.additionalDirectories, options.env).catch(
    (error: unknown) => {
      throw error instanceof ToolError ? invalidParams(`The session cannot start: ${error.message}`) : error;
    },
  );
  const env = options.env ?? process.env;
  const settings = await readSettings({ cwd: workspace.cwd, env, options });
  if (options.sessions && settings.keepSessionsDays !== undefined)
    void forgetOldSessions(sessionStore(options.sessions), settings.keepSessionsDays);
  const permissions = await SessionPermissions.open({
    sessionId: setup.id,
    cwd: workspace.cwd,
    roots: workspace.roots,
    kept: setup.restored?.kept,
    env: options.env,
  });
  return {
    workspace,
    files: new SessionFiles(undefined, setup.restored?.kept),
    turnFiles: new TurnFiles({
      sessionId: setup.id,
      roots: workspace.roots,
      // As of the sessions: they have the turns that can be undone.
      records: options.sessions ? join(stateFolder(env), 'reviews') : undefined,
    }),
    conversation: new Conversation(setup.restored?.kept),
    usage: new SessionUsage(setup.restored?.kept),
    shownInstructions: { files: '' },
    permissions,
    promptFiles: await findPromptFiles({
      cwd: workspace.cwd,
      personal: dirname(settings.userFile),
      forbids: (path) => permissions.forbidsReading(path),
    }),
    settings,
    settingsWarnings: [...settings.warnings],
    models: await openModels({ settings, env, options }),
    mcp: await connectServers(setup, { user: settings.mcpServers, workspace, env, options }),
    hireable: options.agents && listedOnce(options.agents, workspace.cwd),
    background: new BackgroundCommands(),
  };
}

/** A list that fails is empty: the model works without other agents. */
function listedOnce(agents: HireableAgents, cwd: string): NonNullable<SessionMemory['hireable']> {
  let listed: Promise<readonly HireableAgent[]> | undefined;
  return {
    list: (folder) => agents.list(folder),
    start: (name, options) => agents.start(name, options),
    listed: () => (listed ??= agents.list(cwd).catch(() => [])),
  };
}

/** Connects the MCP servers of a session, and reports problems of their configuration. Most sessions have neither. */
async function connectServers(
  { mcpServers, clientCapabilities }: SessionSetup,
  {
    user,
    workspace: { cwd, roots },
    env,
    options,
  }: {
    readonly user: object | undefined;
    readonly workspace: Workspace;
    readonly env: Environment;
    readonly options: CoderOptions;
  },
): Promise<McpConnections | undefined> {
  const configured = await configuredServers({ client: mcpServers, user, cwd, env });
  if (configured.servers.length === 0 && configured.warnings.length === 0) return undefined;
  const { McpConnections } = await import('../mcp/mcp-connections.ts');
  const limits = { ...options.mcp, ...(options.waitForMcp && { promptWait: longest, connectBudget: longest }) };
  return new McpConnections(configured, { cwd, roots, env, client: clientCapabilities, limits });
}

/** Longer than any attempt to connect, in milliseconds. */
const longest = 3_600_000;

/** Releases the resources of a session. */
export async function closeSession({ mcp, background, turnFiles }: SessionMemory): Promise<void> {
  await Promise.all([mcp?.close(), background.stopAll(), turnFiles.close()]);
}
