import type { SessionInfo } from '@agentwire/protocol';
import { explain } from '../failure.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { CommandActions, Offer } from './chat-actions.ts';
import type { Choice } from './dialogs/choice-list.ts';

/** Sessions that are listed at most. */
const mostSessions = 1_000;

/** Lets the person choose among the sessions of the agent, which appear as the agent lists them. */
export async function pickSession(chat: CommandActions): Promise<void> {
  const { agent, session } = chat.conversation;
  if (!agent) return chat.note('there is no agent to ask for its sessions');
  if (!agent.listSessions) return chat.note('the agent keeps no list of sessions');
  if (!agent.loadSession && !agent.resumeSession) return chat.note('the agent cannot go on with an earlier session');
  const id = await chat.choose<string>({
    title: 'Sessions',
    choices: [],
    current: session?.id,
    load: (offer, signal) => list(chat, offer, signal),
  });
  if (id !== undefined && id !== session?.id) chat.switchTo(id);
}

async function list(chat: CommandActions, offer: Offer<string>, signal: AbortSignal): Promise<void> {
  const choices: Choice<string>[] = [];
  offer(choices, 'loading …');
  try {
    for await (const info of chat.conversation.agent?.listSessions?.({ cwd: chat.cwd, signal }) ?? []) {
      choices.push(choiceOf(info));
      offer([...choices], 'loading …');
      if (choices.length >= mostSessions) break;
    }
    offer(choices, '');
  } catch (error) {
    if (!signal.aborted) offer(choices, explain(error, chat.conversation.agent));
  }
}

function choiceOf({ sessionId, title, updatedAt }: SessionInfo): Choice<string> {
  const when = updatedAt ? cleanLine(updatedAt).slice(0, 16).replace('T', ' ') : '';
  return { label: cleanLine(title ?? '') || cleanLine(sessionId), detail: when, value: sessionId };
}
