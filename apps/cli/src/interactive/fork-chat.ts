import type { MessageEntry } from '@turnwire/client/transcript';
import { errorText } from '@turnwire/client/error-text';
import type { FolderRecord, RecordedTurn } from '@turnwire/machine/folder-record';
import { forksOf, type WantedFork } from '@turnwire/client/extensions';
import { messageText } from '@turnwire/client/view';
import { cleanLine, cleanText } from '../terminal/clean-text.ts';
import { folderRecord } from '../sessions/turn-recorder.ts';
import type { CommandActions } from './chat-actions.ts';
import { takeBackTurns, turnsOf } from './undo-turns.ts';

/** Continues in a copy of the whole session, which itself is unchanged. */
export async function forkChat(chat: CommandActions): Promise<void> {
  if (isBusy(chat)) return;
  if (!forksOf(chat.controller.conversation.agent?.capabilities)) return chat.note('the agent cannot fork sessions');
  await switchToFork(chat, {});
}

/**
 * Continues in a copy of the session without its last turns, selected from a list or by their number. If the user wants it, the files that
 * these turns changed are restored: by the agent, if it can, or from the record of the folder.
 */
export async function rewindChat(chat: CommandActions, wanted: string): Promise<void> {
  if (isBusy(chat)) return;
  const fork = forksOf(chat.controller.conversation.agent?.capabilities);
  if (!fork?.withoutLast)
    return chat.note(`the agent cannot go back to a turn${fork ? '; /fork keeps all of them' : ''}`);
  const turn = await firstTurnToDrop(chat, wanted);
  if (!turn) return;
  if (fork.restoreFiles) {
    const restoreFiles = await chooseFiles(chat);
    if (restoreFiles !== undefined) await switchToFork(chat, { withoutLast: turn.count, restoreFiles }, turn.prompt);
  } else await rewindByRecord(chat, turn);
}

/** Goes back to before a turn. The files are restored from the record of the folder, once the agent has forked. */
async function rewindByRecord(chat: CommandActions, turn: DroppedTurns): Promise<void> {
  const record = folderRecord(chat.controller.cwd);
  const recorded = await droppedTurns(chat, record, turn.count);
  const isRestored = recorded.length > 0 ? await chooseFiles(chat) : false;
  if (isRestored === undefined) return;
  const isForked = await switchToFork(chat, { withoutLast: turn.count }, turn.prompt);
  if (isForked && isRestored) await takeBackTurns(chat, record, recorded);
}

/** Turns to drop. */
interface DroppedTurns {
  /** The number of their prompts. */
  readonly count: number;
  /** The first prompt. */
  readonly prompt: string;
}

/** The recorded turns of the last prompts. */
async function droppedTurns(
  chat: CommandActions,
  record: FolderRecord,
  count: number,
): Promise<readonly RecordedTurn[]> {
  const turns = await turnsOf(record, chat.controller.conversation.agentSessionId);
  const prompts = promptEntriesOf(chat).map((entry) => comparable(messageText(entry)));
  const dropped = new Set(prompts.slice(-count));
  // The times of replayed prompts are unknown. Of equal ones it is not known which changed files.
  for (const kept of prompts.slice(0, -count)) dropped.delete(kept);
  const first = turns.findLastIndex(({ prompt }) => !dropped.has(comparable(prompt))) + 1;
  return turns.slice(first);
}

/** The beginning of a prompt without its white space: the record and the transcript join its parts in different ways. */
function comparable(prompt: string): string {
  return prompt.replaceAll(/\s+/g, '').slice(0, 100);
}

/** The turn to go back to. Resolves with undefined without a turn, after a note, or if the user cancels the choice. */
async function firstTurnToDrop(chat: CommandActions, wanted: string): Promise<DroppedTurns | undefined> {
  const turns = turnsWithPrompts(chat);
  if (turns.length === 0) return void chat.note('there is no turn to go back to');
  const number = wanted === '' ? await chooseTurn(chat, turns) : Number(wanted);
  if (number === undefined) return undefined;
  const turn = Number.isInteger(number) && number > 0 ? turns.at(-number) : undefined;
  return turn ?? void chat.note(`give a number of turns from 1 to ${turns.length}: /rewind 2 drops the last two`);
}

/** The turns that the agent knows, oldest first, each with the number of prompts to drop. A turn that was steered or continued has several prompts. */
function turnsWithPrompts(chat: CommandActions): readonly DroppedTurns[] {
  const entries = promptEntriesOf(chat);
  return entries.flatMap((entry, index) =>
    entry.isWithinTurn ? [] : [{ count: entries.length - index, prompt: messageText(entry) }],
  );
}

/** Whether the agent cannot fork now. Shows a note in that case. */
function isBusy(chat: CommandActions): boolean {
  const { name } = chat.controller.conversation.state;
  if (name !== 'ready') chat.note(name === 'working' ? 'a turn is running: stop it first' : 'the agent is not ready');
  return name !== 'ready';
}

/** The prompts that the agent knows, oldest first. */
function promptEntriesOf({ controller }: CommandActions): readonly MessageEntry[] {
  const { transcript } = controller.conversation;
  const known = [...transcript.entries].slice(transcript.knownFrom);
  return known.filter((entry): entry is MessageEntry => entry.type === 'user');
}

function chooseTurn(chat: CommandActions, turns: readonly DroppedTurns[]): Promise<number | undefined> {
  const choices = turns.toReversed().map(({ prompt }, index) => ({
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

/**
 * Resolves with whether the agent has forked the session.
 * @param draft the dropped prompt, for the user to change
 */
async function switchToFork(chat: CommandActions, wanted: WantedFork, draft?: string): Promise<boolean> {
  try {
    const { agentSessionId, restored } = await chat.controller.conversation.fork(wanted);
    chat.controller.switchTo(agentSessionId, { title: 'a fork of the session, which stays in /sessions', draft });
    if (restored !== undefined) chat.say(cleanText(restored).split('\n'));
    return true;
  } catch (error) {
    chat.note(`not forked: ${errorText(error)}`);
    return false;
  }
}
