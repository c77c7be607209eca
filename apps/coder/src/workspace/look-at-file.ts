import { type ClientFiles, type ClientPatience, type ClientText, readThroughClient } from './client-text.ts';
import { fingerprint } from './fingerprint.ts';
import type { DecodedText } from './text-encoding.ts';
import { readTextFile } from './text-file.ts';
import type { WorkspacePath } from './workspace.ts';

/** A file as the disk and the client have it at one moment. */
export interface FoundFile {
  /** What counts; undefined when there is no such file. */
  readonly text: string | undefined;
  readonly disk: DecodedText | undefined;
  /** Undefined when the client does not offer to read, has no such file, or cannot decode it. */
  readonly client: ClientText | undefined;
  /** How the client's text relates to the disk's: changes not saved yet, or not aware yet of what others saved. */
  readonly drift?: 'unsaved' | 'stale';
}

/** What helps to judge what is found. */
export interface Looking {
  readonly client: ClientFiles;
  readonly patience: ClientPatience;
  /** Fingerprints of what the disk held before. */
  readonly earlier: ReadonlySet<string>;
}

/** Looks at a file on the disk and through the client. The client's text counts, unless it is an earlier state of the disk. */
export async function lookAtFile(path: WorkspacePath, { client, patience, earlier }: Looking): Promise<FoundFile> {
  const disk = await readTextFile(path);
  const told = readable(await readThroughClient(path, client, { patience, isOnDisk: disk !== undefined }), disk);
  if (told === undefined) return { text: disk?.text, disk, client: undefined };
  // Some clients give the empty text for what does not exist.
  if (disk === undefined) return { text: told.text || undefined, disk, client: told, drift: 'unsaved' };
  const print = fingerprint(told.text);
  if (print !== fingerprint(disk.text))
    return earlier.has(print)
      ? { text: disk.text, disk, client: told, drift: 'stale' }
      : { text: told.text, disk, client: told, drift: 'unsaved' };
  // They can differ in line endings. Then those count that will be written.
  return { text: client.writeTextFile ? told.text : disk.text, disk, client: told };
}

/** A client that takes every file for UTF-8 shows replacement characters where it is not. That is not a text to go by. */
function readable(told: ClientText | undefined, disk: DecodedText | undefined): ClientText | undefined {
  const isGarbled =
    disk && disk.encoding.name !== 'utf-8' && told?.text.includes('\uFFFD') && !disk.text.includes('\uFFFD');
  return isGarbled ? undefined : told;
}
