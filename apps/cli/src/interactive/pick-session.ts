import { ago } from '@turnwire/client/view';
import type { SessionInfo } from '@turnwire/protocol';
import { explain } from '../failure.ts';
import { type KnownSession, shortIds } from '../store/known-sessions.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { CommandActions } from './chat-actions.ts';
import type { Offer, Choice } from '../questions/choice.ts';
import { isStarting, whenStarted } from './when-started.ts';

/** The maximum number of listed sessions. */
const mostSessions = 1_000;

/** Lets the user choose among the recorded sessions, as `turnwire sessions` shows them, and other sessions that the agent lists. */
export async function pickSession(chat: CommandActions): Promise<void> {
  const { agent, agentSessionId } = chat.controller.conversation;
  if (agent && agent.capabilities.loadSession !== true && !agent.capabilities.sessionCapabilities?.resume)
    return chat.note('the agent cannot continue with an earlier session');
  const known = await chat.controller.keptSessions();
  const ids = shortIds(known);
  const others = known.filter(({ sessionId }) => sessionId !== agentSessionId);
  const kept = others.map((session) => knownChoice(session, ids.get(session) ?? ''));
  const isListed = isStarting(chat.controller.conversation) || canList(chat);
  if (!isListed && kept.length === 0)
    return chat.note(agent ? 'the agent cannot list sessions' : 'there is no agent to ask for its sessions');
  const id = await chat.choose<string>({
    title: 'Sessions',
    choices: kept,
    keepsOrder: true,
    ...(isListed && { load: (offer, signal) => list(chat, kept, { offer, signal }) }),
  });
  if (id !== undefined) await switchSession(chat, id);
}

/** Switches to a session. Leaving stops a running turn, so the user is asked first. */
export async function switchSession(chat: CommandActions, sessionId: string): Promise<void> {
  if (chat.controller.conversation.state.name === 'working') {
    const choices = [
      { label: 'Stop the running turn, and switch', value: true },
      { label: 'Stay here', value: false },
    ];
    if (!(await chat.choose({ title: 'A turn runs in this session', choices }))) return;
  }
  chat.controller.switchTo(sessionId);
}

function canList({ controller: { conversation } }: CommandActions): boolean {
  return Boolean(conversation.agent?.capabilities.sessionCapabilities?.list);
}

/** Adds the agent's sessions to the recorded ones, which have more details. */
async function list(
  chat: CommandActions,
  kept: readonly Choice<string>[],
  { offer, signal }: { readonly offer: Offer<string>; readonly signal: AbortSignal },
): Promise<void> {
  const known = new Set(kept.map(({ value }) => value));
  const choices = [...kept];
  offer(choices, 'loading …');
  try {
    await whenStarted(chat.controller.conversation);
    if (!canList(chat)) return offer(choices, 'the agent cannot list its own');
    for await (const info of chat.controller.conversation.ownSessions(signal)) {
      if (known.has(info.sessionId)) continue;
      choices.push(choiceOf(info));
      offer([...choices], 'loading …');
      if (choices.length >= mostSessions) break;
    }
    offer(choices, '');
  } catch (error) {
    if (!signal.aborted) offer(choices, cleanLine(explain(error, chat.controller.conversation.agent)));
  }
}

/** A recorded session, as `turnwire sessions` shows it. */
export function knownChoice(session: KnownSession, id: string): Choice<string> {
  const { name, words, lastUsedAt, turns, sessionId } = session;
  return {
    label: cleanLine(`${name === undefined ? '' : `${name}: `}${words || '-'}`),
    detail: [ago(Date.now() - lastUsedAt), ...(turns === undefined ? [] : [turnCount(turns)]), id].join(', '),
    value: sessionId,
  };
}

function turnCount(turns: number): string {
  return turns === 1 ? '1 turn' : `${turns} turns`;
}

function choiceOf({ sessionId, title, updatedAt }: SessionInfo): Choice<string> {
  const time = Date.parse(updatedAt ?? '');
  return {
    label: cleanLine(title ?? '') || cleanLine(sessionId),
    detail: Number.isNaN(time) ? '' : ago(Date.now() - time),
    value: sessionId,
  };
}
