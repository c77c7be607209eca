import { setTimeout as sleep } from 'node:timers/promises';
import { type FolderRecord, type RecordedTurn, UnfinishedTurn } from '@turnwire/machine/folder-record';
import { explain } from '../failure.ts';
import { folderRecord } from '../sessions/turn-recorder.ts';
import { cleanLine, visibleLine } from '../terminal/clean-text.ts';
import type { CommandActions } from './chat-actions.ts';

/** Takes back what the last turn changed in the files, or the given number of last turns. The conversation stays, and the agent is informed. */
export async function undoTurns(chat: CommandActions, wanted: string): Promise<void> {
  const { conversation, cwd } = chat.controller;
  const count = wanted === '' ? 1 : Number(wanted);
  if (!Number.isInteger(count) || count < 1) return chat.note('give a number of turns: /undo 2 undoes the last two');
  if (conversation.state.name === 'working') return chat.note('a turn is running: stop it first');
  try {
    const record = folderRecord(cwd);
    const turns = (await turnsOf(record, conversation.agentSessionId)).slice(-count);
    if (turns.length === 0) return chat.note('no turn of this session has changed a file that can be restored');
    const restored = await takeBackTurns(chat, record, turns);
    if (restored.length === 0) return undefined;
    return chat.controller.attachments.addText(
      'that changes were undone',
      `I have undone what your last ${turns.length === 1 ? 'turn' : `${turns.length} turns`} changed in these files:\n\n${restored.join('\n')}`,
    );
  } catch (error) {
    return chat.note(explain(error));
  }
}

/** How often, and every how many milliseconds, the record is read while it does not have the end of the last turn. */
const pause = 100;
const looks = 50;

/** The turns of a session that changed files and were not undone, oldest first. A turn that has just ended is recorded a moment later. */
export async function turnsOf(
  record: FolderRecord,
  agentSessionId: string | undefined,
): Promise<readonly RecordedTurn[]> {
  let turns = await openTurnsOf(record, agentSessionId);
  for (let look = 1; look < looks && turns.at(-1) && turns.at(-1)?.after === undefined; look++) {
    await sleep(pause);
    turns = await openTurnsOf(record, agentSessionId);
  }
  return turns;
}

async function openTurnsOf(record: FolderRecord, agentSessionId: string | undefined): Promise<readonly RecordedTurn[]> {
  const isOfSession = ({ agentSessionId: id, sessionId }: RecordedTurn): boolean =>
    (id ?? sessionId) === agentSessionId;
  return (await record.turns()).filter((turn) => isOfSession(turn) && !turn.isUndone);
}

/** Restores the files as they were before turns, the last turn first, and says what was done. Resolves with the restored paths. */
export async function takeBackTurns(
  chat: CommandActions,
  record: FolderRecord,
  turns: readonly RecordedTurn[],
): Promise<readonly string[]> {
  const restored = new Set<string>();
  for (const turn of turns.toReversed()) {
    const [first = ''] = turn.prompt.split('\n');
    const undone = await record.undo(turn).catch((error: unknown) => {
      if (error instanceof UnfinishedTurn) return error;
      throw error;
    });
    if (undone instanceof UnfinishedTurn) {
      chat.say([`not undone: ${cleanLine(first)}: ${undone.message}`]);
      continue;
    }
    const { restored: files, failures } = undone;
    for (const { path } of files) restored.add(path);
    chat.say([
      `undone: ${cleanLine(first)}`,
      ...files.map(({ path, to }) => `  ${to ? 'restored' : 'removed'}: ${visibleLine(path)}`),
      ...failures.map(({ path, why }) => `  unchanged: ${visibleLine(path)}: ${why}`),
    ]);
  }
  return [...restored];
}
