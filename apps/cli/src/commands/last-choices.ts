import { isAgentName } from '../config/agent-names.ts';
import { agentChoice } from '../driving/agent-command.ts';
import type { ChosenSettings } from '../interactive/chat-options.ts';
import type { GlobalOptions } from '../options.ts';
import type { RecentSession } from '../store/recent-session.ts';
import { RecentSessions } from '../store/recent-sessions.ts';
import { agentKey } from '../store/session-record.ts';

/** The options of a new chat, and the settings that the user chose in the last chat of this folder. */
export interface LastChoices {
  readonly options: GlobalOptions;
  readonly chosen?: ChosenSettings;
}

/**
 * Starts a new chat with the agent of the last chat in the folder, unless an agent is named or configured. With the same agent it also uses
 * the mode and options that the user chose there, unless the command line sets them.
 */
export async function withLastChoices(options: GlobalOptions): Promise<LastChoices> {
  const chats = (await new RecentSessions().list()).filter(
    ({ cwd, usedBy }) => cwd === options.cwd && usedBy === 'chat',
  );
  const isFree = !options.isAgentNamed && options.config.defaultAgent === undefined;
  const last = isFree
    ? chats.find((chat) => isAvailable(chat, options))
    : chats.find(({ agent }) => agentKey(agent) === agentKey(agentChoice(options)));
  if (!last) return { options };
  const { agent, modeId, options: values = {} } = last;
  const { name = options.agentName, command } = agent;
  const chosen: ChosenSettings = {
    ...(modeId !== undefined && { modeId }),
    options: options.model === undefined ? values : {},
  };
  return { options: { ...options, agentName: name, ...(command !== undefined && { agent: command }) }, chosen };
}

function isAvailable({ agent: { name } }: RecentSession, { config, proposals }: GlobalOptions): boolean {
  return name === undefined || isAgentName(name, config) || proposals.has(name);
}
