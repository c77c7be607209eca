import { agentEntries } from '../agents/agent-entries.ts';
import type { AgentEntry } from '../agents/agent-entry.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { CommandActions } from './chat-actions.ts';

/** Goes on with another agent, in a new session: from a list, or by name. */
export async function pickAgent(chat: CommandActions, wanted: string): Promise<void> {
  const entries = (await agentEntries(chat.cwd)).filter(isUsable);
  if (wanted !== '' && !entries.some(({ name }) => name === wanted))
    return chat.note(
      `there is no agent ${cleanLine(wanted)} here; there are: ${entries.map(({ name }) => name).join(', ')}`,
    );
  const choices = [...entries.filter(isHere), ...entries.filter((entry) => !isHere(entry))].map((entry) => ({
    label: cleanLine(entry.name),
    detail: isHere(entry) ? 'installed' : 'can be downloaded with npx',
    value: entry.name,
  }));
  const name = wanted === '' ? await chat.choose({ title: 'Agent', choices }) : wanted;
  if (name !== undefined) chat.changeAgent(name);
}

/** It can be started, or got. */
function isUsable(entry: AgentEntry): boolean {
  return entry.isAccepted !== false && (isHere(entry) || entry.fetching !== undefined);
}

function isHere({ path, lacks }: AgentEntry): boolean {
  return path !== undefined && lacks === undefined;
}
