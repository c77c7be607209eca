import type { Agent, AgentOptions, Host, HostElicitation } from '@turnwire/client';
import type { ConversationOptions } from '@turnwire/client/conversation';
import { scriptedElicitation } from '@turnwire/client/elicitation';
import { conversationOptionsFor } from '@turnwire/client/known-agents';
import type { Permissions } from '@turnwire/permissions';
import { traceWriter } from '@turnwire/trace/node';
import type { McpServer } from '@turnwire/protocol';
import { type AgentCommand, agentCommand } from '../driving/agent-command.ts';
import { settingsOf, mcpServersOf, metaOf, refuseUnknownLogin, usableServers } from '../driving/session-setup.ts';
import { drive } from '../driving/drive.ts';
import { headlessHost } from '../driving/headless-host.ts';
import type { GlobalOptions } from '../options.ts';
import { askingModeId, CostLimit } from '@turnwire/gateway';
import { reconnectOptionsFor } from '../driving/remote-agent.ts';
import { answersOf } from '../driving/scripted-answers.ts';

/** Settings of a chat's agent that are known before it is started. */
export interface ChatAgent {
  readonly command: AgentCommand;
  /** The configured servers; which of them the agent can use is known once it runs. */
  readonly servers: readonly McpServer[];
  /** Prepared answers to the agent's questions; absent: the user is asked. */
  readonly prepared: HostElicitation | undefined;
  readonly trace: ReturnType<typeof traceWriter> | undefined;
}

/** The callbacks of a chat. */
export interface ChatWatch {
  readonly permissions: Permissions;
  /** Asks the user a question of the agent. */
  readonly elicitation: HostElicitation;
  /** Shows the user a message. */
  readonly remark: (message: string) => void;
  /** Cancels the turn. */
  readonly stop: (message: string) => void;
  /** Runs a login in the user's terminal. */
  readonly terminalLogin: AgentOptions['terminalLogin'];
}

/** Reads the files that the options name. Rejects with CommandError, exit code 2, if one cannot be read. */
export async function chatAgent(options: GlobalOptions, remark: (message: string) => void): Promise<ChatAgent> {
  const { cwd, mcpConfig, config, trace } = options;
  const command = await agentCommand(options);
  const answers = await answersOf(options.answers);
  const secrets = Object.values(command.env);
  return {
    command,
    servers: await mcpServersOf(mcpConfig ?? config.mcpConfig ?? config.mcpServers, cwd),
    prepared: answers && scriptedElicitation(answers, ({ reason }) => remark(reason)),
    trace: trace === undefined ? undefined : traceWriter({ path: trace, secrets, onProblem: remark }),
  };
}

/** The options of a conversation with the agent, except which session. */
export function conversationOptions(options: GlobalOptions, agent: ChatAgent, watch: ChatWatch): ConversationOptions {
  const { permissions, stop, terminalLogin } = watch;
  const { differences } = agent.command;
  const host = hostFor(options, agent, watch);
  // Which of them it can use is known once the agent runs.
  const servers: McpServer[] = [];
  const cost = new CostLimit(options.maxCost);
  return {
    start: async (signal) => {
      const started = await start(options, agent, { host, permissions, terminalLogin, signal });
      servers.splice(0, Infinity, ...usableServers(started, agent.servers, watch.remark));
      return started;
    },
    cwd: options.cwd,
    additionalDirectories: options.addDir,
    mcpServers: servers,
    meta: metaOf(settingsOf(options)),
    permissions,
    terminals: host.terminals,
    modeId: askingModeId(differences, permissions),
    ...conversationOptionsFor(differences),
    ...reconnectOptionsFor(agent.command.words),
    retry: { attempts: 5 },
    onEvent: (event) => {
      const message = event.type === 'update' && !event.isReplay ? cost.exceededBy(event.update) : undefined;
      if (message !== undefined) stop(message);
      const warning = event.type === 'turn-ended' ? cost.warning() : undefined;
      if (warning !== undefined) watch.remark(warning);
    },
  };
}

function hostFor(options: GlobalOptions, { command, prepared }: ChatAgent, { elicitation, remark }: ChatWatch): Host {
  const { inheritEnv, differences } = command;
  const { fs: files, terminal: terminals } = options;
  const host = headlessHost({ files, terminals, inheritEnv, missingFile: differences?.missingFile, remark });
  return { ...host, elicitation: prepared ?? elicitation };
}

interface Using {
  readonly host: Host;
  readonly permissions: Permissions;
  readonly terminalLogin: AgentOptions['terminalLogin'];
  readonly signal: AbortSignal;
}

async function start(options: GlobalOptions, { command, trace }: ChatAgent, using: Using): Promise<Agent> {
  const { words, env, inheritEnv, differences } = command;
  const { host, permissions, terminalLogin, signal } = using;
  const { cwd, auth, authPolicy } = options;
  const tap = trace && { tap: trace.tap };
  const agent = await drive({
    ...{ words, cwd, env, inheritEnv, differences, host, auth, terminalLogin, signal },
    permissions: () => permissions,
    ...tap,
  });
  refuseUnknownLogin(agent, { auth, authPolicy });
  return agent;
}
