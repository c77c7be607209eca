import type { SessionInfo } from '@agentwire/protocol';
import { explain } from '../failure.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { ChatActions } from './chat-actions.ts';
import type { Choice } from './dialogs/choice-list.ts';
import { Picker } from './dialogs/picker.ts';

/** Sessions that are listed at most. */
const mostSessions = 1_000;

/** Lets the person choose among the sessions of the agent; they appear as the agent lists them. */
export function pickSession(chat: ChatActions): void {
  const { agent, session } = chat.conversation;
  if (!agent) return chat.note('there is no agent to ask for its sessions');
  if (!agent.listSessions) return chat.note('the agent keeps no list of sessions');
  if (!agent.loadSession && !agent.resumeSession) return chat.note('the agent cannot go on with an earlier session');
  const picker = new Picker<string>({
    title: 'Sessions',
    choices: [],
    current: session?.id,
    onPick: (id) => {
      listing.abort();
      close();
      if (id !== undefined && id !== session?.id) chat.switchTo(id);
    },
  });
  const listing = new AbortController();
  const close = chat.open(picker);
  void list(chat, picker, listing.signal);
}

async function list(chat: ChatActions, picker: Picker<string>, signal: AbortSignal): Promise<void> {
  const choices: Choice<string>[] = [];
  picker.offer(choices, 'loading …');
  try {
    for await (const info of chat.conversation.agent?.listSessions?.({ cwd: chat.cwd, signal }) ?? []) {
      choices.push(choiceOf(info));
      picker.offer([...choices], 'loading …');
      chat.changed();
      if (choices.length >= mostSessions) break;
    }
    picker.offer([...choices], '');
  } catch (error) {
    if (!signal.aborted) picker.offer([...choices], explain(error, chat.conversation.agent));
  }
  chat.changed();
}

function choiceOf({ sessionId, title, updatedAt }: SessionInfo): Choice<string> {
  const when = updatedAt ? cleanLine(updatedAt).slice(0, 16).replace('T', ' ') : '';
  return { label: cleanLine(title ?? '') || cleanLine(sessionId), detail: when, value: sessionId };
}
