import { join } from 'node:path';
import { stateFolder } from '@turnwire/machine';
import { FolderRecord } from '@turnwire/machine/folder-record';
import type { SessionRecord } from '@turnwire/runtime';
import { TurnRecorder, type TurnRecorderOptions } from '@turnwire/runtime/review';
import type { Config } from '../config/config.ts';

/** The record of the changes that agents made in a folder. */
export function folderRecord(cwd: string): FolderRecord {
  return new FolderRecord(cwd, join(stateFolder(), 'reviews'));
}

/** Records what the turns of sessions change in their folders. Undefined if the configuration turns that off. */
export function turnRecorder(
  { review = true }: Pick<Config, 'review'>,
  options?: TurnRecorderOptions,
): ((record: SessionRecord) => TurnRecorder) | undefined {
  if (!review) return undefined;
  return ({ id, agent, cwd }) => new TurnRecorder(folderRecord(cwd), { sessionId: id, agent }, options);
}
