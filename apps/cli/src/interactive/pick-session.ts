import type { SessionInfo } from '@turnwire/protocol';
import { explain } from '../failure.ts';
import type { SessionRecord } from '../store/session-record.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { CommandActions } from './chat-actions.ts';
import type { Offer, Choice } from '../questions/choice.ts';

/** The most sessions that are listed. */
const mostSessions = 1_000;

/** Lets the user choose among the sessions stored here and those of the agent, which are shown as the agent lists them. */
export async function pickSession(chat: CommandActions): Promise<void> {
  const { agent, agentSessionId } = chat.conversation;
  if (!agent) return chat.note('there is no agent to ask for its sessions');
  const { loadSession, sessionCapabilities } = agent.capabilities;
  if (loadSession !== true && !sessionCapabilities?.resume)
    return chat.note('the agent cannot continue with an earlier session');
  const kept = (await chat.keptSessions()).flatMap(keptChoice).filter(({ value }) => value !== agentSessionId);
  const isListed = Boolean(sessionCapabilities?.list);
  if (!isListed && kept.length === 0) return chat.note('the agent cannot list sessions');
  const id = await chat.choose<string>({
    title: 'Sessions',
    choices: kept,
    ...(isListed && { load: (offer, signal) => list(chat, kept, { offer, signal }) }),
  });
  if (id !== undefined) chat.switchTo(id);
}

/** A stored session has the name the user gave it, so the agent's entry for the same session is left out. */
async function list(
  chat: CommandActions,
  kept: readonly Choice<string>[],
  { offer, signal }: { readonly offer: Offer<string>; readonly signal: AbortSignal },
): Promise<void> {
  const known = new Set(kept.map(({ value }) => value));
  const choices = [...kept];
  offer(choices, 'loading …');
  try {
    for await (const info of chat.conversation.ownSessions(signal)) {
      if (known.has(info.sessionId)) continue;
      choices.push(choiceOf(info));
      offer([...choices], 'loading …');
      if (choices.length >= mostSessions) break;
    }
    offer(choices, '');
  } catch (error) {
    if (!signal.aborted) offer(choices, cleanLine(explain(error, chat.conversation.agent)));
  }
}

/** A session of the commands that store sessions; undefined until the agent has created it. */
function keptChoice({ sessionId, name, title, lastUsedAt }: SessionRecord): Choice<string>[] {
  if (sessionId === undefined) return [];
  const label = `${name === undefined ? 'session of this folder' : `session ${cleanLine(name)}`}`;
  const about = cleanLine(title ?? '');
  return [
    {
      label: about === '' ? label : `${label}: ${about}`,
      detail: `${shortTime(lastUsedAt)}, stored here`,
      value: sessionId,
    },
  ];
}

function choiceOf({ sessionId, title, updatedAt }: SessionInfo): Choice<string> {
  return {
    label: cleanLine(title ?? '') || cleanLine(sessionId),
    detail: shortTime(updatedAt ?? ''),
    value: sessionId,
  };
}

function shortTime(time: string): string {
  return cleanLine(time).slice(0, 16).replace('T', ' ');
}
