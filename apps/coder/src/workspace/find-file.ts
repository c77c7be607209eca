import { type ClientFiles, type ClientTimeouts, type ClientText, readThroughClient } from './client-text.ts';
import { fingerprint } from './fingerprint.ts';
import type { DecodedText } from './text-encoding.ts';
import { readTextFile } from './text-file.ts';
import type { WorkspacePath } from './workspace.ts';

/** A file as the disk and the client have it at one moment. */
export interface FoundFile {
  /** The current text; undefined for a missing file. */
  readonly text: string | undefined;
  readonly disk: DecodedText | undefined;
  /** Undefined if the client cannot read files, lacks the file, or cannot decode it. */
  readonly client: ClientText | undefined;
  /** How the client's text relates to the disk's: unsaved changes, or an outdated version. */
  readonly drift?: 'unsaved' | 'stale';
}

/** Facts for the comparison. */
export interface FindOptions {
  readonly client: ClientFiles;
  readonly timeouts: ClientTimeouts;
  /** Fingerprints of the disk's previous texts. */
  readonly earlier: ReadonlySet<string>;
}

/** Reads a file from the disk and through the client. The client's text is current, unless it is an earlier state of the disk. */
export async function findFile(path: WorkspacePath, { client, timeouts, earlier }: FindOptions): Promise<FoundFile> {
  const disk = await readTextFile(path);
  const onDisk = disk === undefined ? 'missing' : disk.encoding.name === 'utf-8' ? 'text' : 'foreign';
  const shown = readable(await readThroughClient(path, client, { timeouts, onDisk }), disk);
  if (shown === undefined) return { text: disk?.text, disk, client: undefined };
  // Some clients return the empty text for a missing file.
  if (disk === undefined) return { text: shown.text || undefined, disk, client: shown, drift: 'unsaved' };
  const print = fingerprint(shown.text);
  if (print !== fingerprint(disk.text))
    return earlier.has(print)
      ? { text: disk.text, disk, client: shown, drift: 'stale' }
      : { text: shown.text, disk, client: shown, drift: 'unsaved' };
  // They can differ in line endings. Those of the side that will be written are used.
  return { text: client.writeTextFile ? shown.text : disk.text, disk, client: shown };
}

/** A client that reads every file as UTF-8 returns replacement characters for other encodings: that text is unusable. */
function readable(shown: ClientText | undefined, disk: DecodedText | undefined): ClientText | undefined {
  const isGarbled =
    disk && disk.encoding.name !== 'utf-8' && shown?.text.includes('\uFFFD') && !disk.text.includes('\uFFFD');
  return isGarbled ? undefined : shown;
}
