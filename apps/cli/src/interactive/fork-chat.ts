import type { MessageEntry } from '@turnwire/client/transcript';
import { errorText } from '@turnwire/client';
import { forksOf, type WantedFork } from '@turnwire/client/extensions';
import { messageText } from '@turnwire/client/view';
import { cleanLine, cleanText } from '../terminal/clean-text.ts';
import type { CommandActions } from './chat-actions.ts';

/** Goes on in a session that begins with all of this one, which stays as it is. */
export async function forkChat(chat: CommandActions): Promise<void> {
  if (isBusy(chat)) return;
  if (!forksOf(chat.controller.conversation.agent?.capabilities)) return chat.note('the agent cannot fork sessions');
  await goOnInFork(chat, {});
}

/**
 * Goes on in a session without the last turns: from the list, or so many. The files that they changed are restored if the agent can do that and
 * the user wants it.
 */
export async function rewindChat(chat: CommandActions, wanted: string): Promise<void> {
  if (isBusy(chat)) return;
  const fork = forksOf(chat.controller.conversation.agent?.capabilities);
  if (!fork?.withoutLast)
    return chat.note(`the agent cannot go back to a turn${fork ? '; /fork keeps all of them' : ''}`);
  const turn = await turnToLeaveOut(chat, wanted);
  if (!turn) return;
  const restoreFiles = fork.restoreFiles === true ? await chooseFiles(chat) : false;
  if (restoreFiles !== undefined) await goOnInFork(chat, { withoutLast: turn.count, restoreFiles }, turn.prompt);
}

/** The first turn that is left out, and how many that are with those after it. Undefined if there is none, which is said, or none was chosen. */
async function turnToLeaveOut(
  chat: CommandActions,
  wanted: string,
): Promise<{ readonly count: number; readonly prompt: string } | undefined> {
  const prompts = promptsOf(chat);
  if (prompts.length === 0) return void chat.note('there is no turn to go back to');
  const count = wanted === '' ? await chooseTurn(chat, prompts) : Number(wanted);
  if (count === undefined) return undefined;
  const prompt = Number.isInteger(count) && count > 0 ? prompts.at(-count) : undefined;
  if (prompt !== undefined) return { count, prompt };
  return void chat.note(`give a number of turns from 1 to ${prompts.length}: /rewind 2 takes back two`);
}

/** Whether the agent cannot be asked for a fork now, which is said. */
function isBusy(chat: CommandActions): boolean {
  const { name } = chat.controller.conversation.state;
  if (name !== 'ready') chat.note(name === 'working' ? 'a turn runs: stop it first' : 'the agent is not ready');
  return name !== 'ready';
}

/** The prompts that the agent knows, oldest first. */
function promptsOf({ controller }: CommandActions): readonly string[] {
  const { transcript } = controller.conversation;
  const known = [...transcript.entries].slice(transcript.knownFrom);
  const prompts = known.filter((entry): entry is MessageEntry => entry.type === 'user');
  return prompts.map(messageText);
}

function chooseTurn(chat: CommandActions, prompts: readonly string[]): Promise<number | undefined> {
  const choices = prompts.toReversed().map((prompt, index) => ({
    label: cleanLine(prompt),
    detail: index === 0 ? 'the last turn' : `${index + 1} turns`,
    value: index + 1,
  }));
  return chat.choose({ title: 'Go back to before', choices, keepsOrder: true });
}

function chooseFiles(chat: CommandActions): Promise<boolean | undefined> {
  const choices = [
    { label: 'Leave the files as they are', value: false },
    { label: 'Restore the files that these turns changed', value: true },
  ];
  return chat.choose({ title: 'Files', choices });
}

/** @param draft what the user may want to write anew */
async function goOnInFork(chat: CommandActions, wanted: WantedFork, draft?: string): Promise<void> {
  try {
    const { agentSessionId, restored } = await chat.controller.conversation.fork(wanted);
    chat.controller.switchTo(agentSessionId, { title: 'a fork of the session, which stays in /sessions', draft });
    if (restored !== undefined) chat.say(cleanText(restored).split('\n'));
  } catch (error) {
    chat.note(`not forked: ${errorText(error)}`);
  }
}
