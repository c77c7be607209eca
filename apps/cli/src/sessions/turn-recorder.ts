import { join } from 'node:path';
import { stateFolder } from '@turnwire/machine';
import { FolderRecord } from '@turnwire/machine/folder-record';
import type { SessionRecord } from '@turnwire/runtime';
import { TurnRecorder } from '@turnwire/runtime/review';

/** The record of the changes that agents made in a folder. */
export function folderRecord(cwd: string): FolderRecord {
  return new FolderRecord(cwd, join(stateFolder(), 'reviews'));
}

/** Records what the turns of a session change in its folder. */
export function turnRecorder({ id, agent, cwd }: SessionRecord): TurnRecorder {
  return new TurnRecorder(folderRecord(cwd), { sessionId: id, agent });
}
