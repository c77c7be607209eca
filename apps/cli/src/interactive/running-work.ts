import type { TranscriptView } from '@turnwire/client/transcript';
import { callTime, contentText, elapsed, type RunningItem, runningItems } from '@turnwire/client/view';
import type { LivePrompt } from '@turnwire/runtime';
import { explain } from '../failure.ts';
import type { Choice } from '../questions/choice.ts';
import { type KnownSession, shortIds } from '../store/known-sessions.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { CommandActions } from './chat-actions.ts';
import { knownChoice, switchSession } from './pick-session.ts';

/** The maximum number of other sessions in the list. `/sessions` has all. */
const mostSessions = 20;

/** An entry of the list. */
type Listed =
  | { readonly type: 'turn' }
  | { readonly type: 'prompt'; readonly prompt: LivePrompt }
  | { readonly type: 'work'; readonly item: RunningItem }
  | { readonly type: 'session'; readonly sessionId: string };

const kinds: Readonly<Record<string, string | undefined>> = {
  tool_call: 'tool call',
  terminal: 'terminal',
  subagent: 'subagent',
};

/**
 * Lists the running turn, the queued prompts, the running calls, terminals and subagents, and the other sessions of the folder, as they change;
 * does with one of them what the user chooses.
 */
export async function showRunning(chat: CommandActions): Promise<void> {
  const sessions = await otherSessions(chat);
  const listed = (): readonly Choice<Listed>[] => [...workChoices(chat), ...sessions];
  if (listed().length === 0) return chat.note('nothing runs or waits, and there is no other session');
  const chosen = await chat.choose<Listed>({
    title: 'Running and waiting',
    choices: listed(),
    keepsOrder: true,
    load: async (offer, signal) => {
      const stop = chat.controller.conversation.onChange(() => offer(listed(), ''));
      signal.addEventListener('abort', stop, { once: true });
    },
  });
  if (chosen) await act(chat, chosen);
}

/** Sends a queued prompt into the running turn. The agent must support that. */
export async function steerNow(chat: Pick<CommandActions, 'controller' | 'note'>, { id }: LivePrompt): Promise<void> {
  chat.note('the agent reads it at its next step; Esc stops the turn');
  try {
    await chat.controller.conversation.steer?.(id);
  } catch (error) {
    chat.note(explain(error));
  }
}

function workChoices({ controller: { conversation } }: CommandActions): readonly Choice<Listed>[] {
  const { state, queue, transcript } = conversation;
  const turn: readonly Choice<Listed>[] =
    state.name === 'working' || state.name === 'cancelling'
      ? [{ label: 'The running turn', detail: elapsed(Date.now() - state.since), value: { type: 'turn' } }]
      : [];
  const prompts = queue.map((prompt): Choice<Listed> => ({
    label: cleanLine(prompt.content.map(contentText).join(' ').slice(0, 500)),
    detail: 'queued prompt',
    value: { type: 'prompt', prompt },
  }));
  const work = runningItems(transcript).map((item): Choice<Listed> => ({
    label: cleanLine(item.text),
    detail: timed(kinds[item.work.type] ?? item.work.type, timeOf(item, transcript)),
    value: { type: 'work', item },
  }));
  return [...turn, ...work, ...prompts];
}

function timed(what: string, time: number | undefined): string {
  const shown = time === undefined ? '' : elapsed(time);
  return shown === '' ? what : `${what}, ${shown}`;
}

function timeOf({ work }: RunningItem, view: TranscriptView): number | undefined {
  const entry = view.entries.at(entryOf(work, view) ?? -1);
  return entry?.type === 'tool-call' ? callTime(entry, Date.now()) : undefined;
}

/** The index of the entry that shows a work. */
function entryOf({ toolCallId, sessionId }: RunningItem['work'], view: TranscriptView): number | undefined {
  if (toolCallId !== undefined) return view.toolCallIndex(toolCallId);
  return sessionId === undefined ? undefined : view.childIndex(sessionId);
}

/** The other sessions of the folder that the agent can continue, newest first. */
async function otherSessions({ controller }: CommandActions): Promise<readonly Choice<Listed>[]> {
  const { agent, agentSessionId } = controller.conversation;
  if (agent && agent.capabilities.loadSession !== true && !agent.capabilities.sessionCapabilities?.resume) return [];
  const known = await controller.keptSessions();
  const ids = shortIds(known);
  return known
    .filter(({ sessionId }) => sessionId !== agentSessionId)
    .slice(0, mostSessions)
    .map((session) => sessionChoice(session, ids.get(session) ?? ''));
}

function sessionChoice(session: KnownSession, id: string): Choice<Listed> {
  const { label, detail = '', value: sessionId } = knownChoice(session, id);
  const where = session.isServed ? 'session, open in a server' : 'session';
  return { label, detail: `${where}, ${detail}`, value: { type: 'session', sessionId } };
}

function act(chat: CommandActions, listed: Listed): Promise<void> {
  switch (listed.type) {
    case 'turn':
      return actOnTurn(chat);
    case 'prompt':
      return actOnPrompt(chat, listed.prompt);
    case 'work':
      return actOnWork(chat, listed.item);
    case 'session':
      return switchSession(chat, listed.sessionId);
  }
}

async function actOnTurn(chat: CommandActions): Promise<void> {
  const choices = [{ label: 'Stop it', detail: 'queued prompts stay', value: true }];
  if (await chat.choose({ title: 'The running turn', choices })) chat.controller.conversation.cancel();
}

async function actOnPrompt(chat: CommandActions, prompt: LivePrompt): Promise<void> {
  const { conversation } = chat.controller;
  const choice = await chat.choose<'now' | 'edit' | 'drop'>({
    title: cleanLine(prompt.content.map(contentText).join(' ').slice(0, 500)),
    choices: [
      ...(chat.takeBack ? [{ label: 'Take it back into the editor', value: 'edit' as const }] : []),
      ...(conversation.steer ? [{ label: 'Send it now, into the running turn', value: 'now' as const }] : []),
      { label: 'Drop it', value: 'drop' },
    ],
  });
  if (choice === 'now') return steerNow(chat, prompt);
  if (choice === undefined) return;
  const isDone = choice === 'edit' ? chat.takeBack?.(prompt) : conversation.withdraw(prompt.id);
  if (!isDone) chat.note('it is too late: the turn of this prompt has begun');
}

async function actOnWork(chat: CommandActions, { text, work, cancel }: RunningItem): Promise<void> {
  const { conversation } = chat.controller;
  const entry = entryOf(work, conversation.transcript);
  const choice = await chat.choose<'show' | 'cancel' | 'stop'>({
    title: cleanLine(text),
    choices: [
      ...(entry === undefined ? [] : [{ label: 'Show it', value: 'show' as const }]),
      ...(cancel ? [{ label: 'Cancel it', value: 'cancel' as const }] : []),
      ...(cancel || conversation.transcript.turnId === undefined
        ? []
        : [
            { label: 'Stop the whole turn', detail: 'the agent cannot cancel this part alone', value: 'stop' as const },
          ]),
    ],
  });
  if (choice === 'show') await chat.showCalls(entry);
  if (choice === 'cancel' && cancel)
    await conversation.cancelWork(cancel).catch((error: unknown) => chat.note(explain(error)));
  if (choice === 'stop') conversation.cancel();
}
