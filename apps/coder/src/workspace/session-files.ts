import { dirname } from 'node:path';
import { PathTurns } from '@turnwire/machine';
import { failureMessage, ToolError } from '../tool-error.ts';
import { type ClientFiles, type ClientTimeouts, defaultClientTimeouts, writeThroughClient } from './client-text.ts';
import { fileFailure } from './file-failure.ts';
import { fingerprint } from './fingerprint.ts';
import { holdFolder } from './held.ts';
import { keepLineEndings } from './line-endings.ts';
import { findFile } from './find-file.ts';
import type { FoundFile } from './find-file.ts';
import { SeenFiles } from './seen-files.ts';
import type { Seen } from './seen-files.ts';
import { changedMeanwhile, encodedLike, replaceTextFile } from './text-file.ts';
import type { WorkspacePath } from './workspace.ts';

/** A written file. */
export interface WrittenFile {
  /** Its content now: the client may have formatted it. */
  readonly text: string;
  /** Notes for the model, as whole sentences. */
  readonly notes: readonly string[];
}

// Of all sessions of this process: two of them may change the same file.
const turns = new PathTurns();

/**
 * The text files of a session, through the client if it supports that, so that unsaved changes count; else on the disk. It tracks reads,
 * and refuses to change a file that was not read or that another program changed since.
 *
 * A change goes one way only: through a client that can write, else to the disk. With a client that can only read, a file with unsaved
 * changes is not changed. A file in another encoding than UTF-8 goes through the client only if it decodes it correctly.
 */
export class SessionFiles {
  readonly #seen: SeenFiles;
  readonly #timeouts: ClientTimeouts;

  /** @param kept the stored entries of the session, oldest first */
  constructor(timeouts: ClientTimeouts = defaultClientTimeouts, kept: readonly unknown[] = []) {
    this.#timeouts = timeouts;
    this.#seen = new SeenFiles(kept);
  }

  /** Stores the fingerprints of files read and written since the last call, for a loaded session. */
  keepNew(keep: (value: unknown) => unknown): void {
    this.#seen.keepNew(keep);
  }

  /** Reads a text, without byte order mark. From now on the file may be changed. Undefined for a missing file. */
  async read(path: WorkspacePath, client: ClientFiles): Promise<string | undefined> {
    return (await this.open(path, client)).text;
  }

  /** Like {@link read}, with more facts. */
  async open(path: WorkspacePath, client: ClientFiles): Promise<FoundFile> {
    const found = await this.#look(path, client);
    this.#remember(path, found);
    return found;
  }

  /**
   * Reads a text before a change. Undefined for a missing file.
   * @throws ToolError unless this session read or wrote the file and it is unchanged on the disk and in the client
   */
  async readForChange(path: WorkspacePath, client: ClientFiles): Promise<string | undefined> {
    const found = await this.#look(path, client);
    if (found.text === undefined) return undefined;
    const seen = this.#seen.get(path.real);
    if (seen === undefined)
      throw new ToolError(`${path.shown} exists and was not read in this session; nothing was changed. Read it first.`);
    if (isChanged(seen, found))
      throw new ToolError(`${path.shown} changed since it was read; nothing was changed. Read it again.`);
    return found.text;
  }

  /**
   * Replaces the whole content of a file. Changes of the same file run one after the other.
   * @param change the expected content, undefined for a file that must not exist, and the new content
   * @throws ToolError if the file is not as expected or cannot be written: then nothing is written
   */
  async replace(
    path: WorkspacePath,
    change: { readonly expected: string | undefined; readonly text: string },
    client: ClientFiles,
  ): Promise<WrittenFile> {
    return turns.take(path.real, async () => {
      const before = await this.#look(path, client);
      if (before.text !== change.expected) throw changedMeanwhile(path);
      const write = wayToWrite(path, before, client);
      if (write === undefined) await replaceTextFile(path, { expected: before.disk, text: change.text });
      else await this.#writeThrough(path, write, { before, text: change.text });
      return this.#readBack(path, { before, text: change.text }, client);
    });
  }

  #look(path: WorkspacePath, client: ClientFiles): Promise<FoundFile> {
    const earlier = this.#seen.get(path.real)?.disk ?? new Set();
    return findFile(path, { client: path.isOutside ? {} : client, timeouts: this.#timeouts, earlier });
  }

  #remember({ real }: WorkspacePath, { text, disk }: FoundFile): void {
    const states = new Set(this.#seen.get(real)?.disk);
    const print = disk && fingerprint(disk.text);
    // The latest is last.
    if (print !== undefined) {
      states.delete(print);
      states.add(print);
    }
    this.#seen.set(real, { text: text === undefined ? undefined : fingerprint(text), disk: states });
  }

  async #writeThrough(path: WorkspacePath, write: Write, { before, text }: Change): Promise<void> {
    await encodedLike(path, before.disk, text);
    await makeFolder(path);
    const mark = before.client?.mark ?? before.disk?.encoding.mark ?? false;
    await writeThroughClient(path, write, { text, mark, timeouts: this.#timeouts });
  }

  // The change is done: an error from here on is reported, and does not undo it.
  async #readBack(path: WorkspacePath, change: Change, client: ClientFiles): Promise<WrittenFile> {
    this.#remember(path, change.before);
    try {
      const written = await this.#look(path, client);
      const isRestored = await restoreLineEndings(path, change, written);
      const found = isRestored ? await this.#look(path, client) : written;
      this.#remember(path, found);
      const { text = '' } = found;
      if (fingerprint(text) !== fingerprint(change.text)) this.#forgetText(path);
      return { text, notes: notesOn(change, found) };
    } catch (error) {
      this.#forgetText(path);
      return { text: change.text, notes: [`It could not be read back: ${failureMessage(error)}`] };
    }
  }

  #forgetText({ real }: WorkspacePath): void {
    this.#seen.set(real, { text: undefined, disk: this.#seen.get(real)?.disk ?? new Set() });
  }
}

type Write = NonNullable<ClientFiles['writeTextFile']>;

interface Change {
  readonly before: FoundFile;
  readonly text: string;
}

// A file that was saved without a change is still the same file.
function isChanged(seen: Seen, { text, disk }: FoundFile): boolean {
  const print = fingerprint(text ?? '');
  if (print !== seen.text) return true;
  const saved = disk && fingerprint(disk.text);
  return saved !== undefined && saved !== print && !seen.disk.has(saved);
}

/** The client's way of writing, or undefined for the disk. */
function wayToWrite(
  { shown }: WorkspacePath,
  { disk, client, drift }: FoundFile,
  { writeTextFile }: ClientFiles,
): Write | undefined {
  const isForeign = disk !== undefined && disk.encoding.name !== 'utf-8';
  if (writeTextFile && !(isForeign && client === undefined)) return writeTextFile;
  if (drift === 'unsaved' && client?.text)
    throw new ToolError(
      `${shown} has unsaved changes in the editor, which does not let agents write; nothing was written. Ask for the file to be saved first.`,
    );
  return undefined;
}

function notesOn({ before, text }: Change, { text: now, disk, drift }: FoundFile): readonly string[] {
  if (fingerprint(now ?? '') !== fingerprint(text))
    return now === before.text
      ? ['The client accepted it, but the file does not have it. Read it again before you continue.']
      : [
          'The client changed it when saving it, by formatting for example. Read it again before you change more of it.',
        ];
  const notes: string[] = [];
  if (drift === 'unsaved') notes.push('The editor has it, but has not saved it: commands still see the old file.');
  if (before.disk && disk && before.disk.encoding.name !== disk.encoding.name)
    notes.push(`The client saved it in ${disk.encoding.name}; it was ${before.disk.encoding.name} before.`);
  return notes;
}

/**
 * Some clients show and write every file with LF. A file that had CRLF gets it back on the disk.
 * @returns whether it was written
 */
async function restoreLineEndings(
  path: WorkspacePath,
  { before, text }: Change,
  { disk }: FoundFile,
): Promise<boolean> {
  if (!before.disk?.text.includes('\r\n') || text.includes('\r\n')) return false;
  if (disk === undefined || disk.text.includes('\r\n') || fingerprint(disk.text) !== fingerprint(text)) return false;
  await replaceTextFile(path, { expected: disk, text: keepLineEndings(before.disk.text, disk.text) });
  return true;
}

async function makeFolder({ real, shown }: WorkspacePath): Promise<void> {
  try {
    await using _folder = await holdFolder(dirname(real));
  } catch (error) {
    throw fileFailure(error, shown, 'written');
  }
}
