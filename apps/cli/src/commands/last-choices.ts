import { isAgentName } from '../config/agent-names.ts';
import { agentChoice } from '../driving/agent-command.ts';
import type { ChosenSettings } from '../interactive/chat-options.ts';
import type { GlobalOptions } from '../options.ts';
import type { RecentSession } from '../store/recent-session.ts';
import { RecentSessions } from '../store/recent-sessions.ts';
import { agentKey } from '../store/session-record.ts';

/** The options of a new chat, and what was chosen in the last one of this folder. */
export interface LastChoices {
  readonly options: GlobalOptions;
  readonly chosen?: ChosenSettings;
}

/**
 * A new chat in a folder has the agent of the last one there, unless one is named or configured, and with the same agent the mode and the
 * options that were chosen, unless they are given.
 */
export async function withLastChoices(options: GlobalOptions): Promise<LastChoices> {
  const chats = (await new RecentSessions().list()).filter(
    ({ cwd, usedBy }) => cwd === options.cwd && usedBy === 'chat',
  );
  const isFree = !options.isAgentNamed && options.config.defaultAgent === undefined;
  const last = isFree
    ? chats.find((chat) => isThere(chat, options))
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

function isThere({ agent: { name } }: RecentSession, { config, proposals }: GlobalOptions): boolean {
  return name === undefined || isAgentName(name, config) || proposals.has(name);
}
