/** The record of the files of one turn, as it is stored with the conversation. */
export interface RecordedFiles {
  /** Identifies the turn in the records of its folders. */
  readonly id: string;
  /** The recorded folders, absolute. */
  readonly folders: readonly string[];
  /** The paths that cannot be restored, with the reasons. */
  readonly unkept: readonly NotRestored[];
}

/** A path that cannot be restored, or was not, and why. */
export interface NotRestored {
  /** Absolute. */
  readonly path: string;
  /** Continues a sentence about the path: `it was changed since`. */
  readonly why: string;
}

/** An addition to the {@link RecordedFiles} of the last turn. */
export interface RecordedFilesEntry {
  readonly type: 'files-recorded';
  /** Set once, when the turn begins. */
  readonly id?: string;
  readonly folder?: string;
  readonly unkept?: NotRestored;
}

/** Reads a stored entry. Undefined for other data. */
export function readRecordedFiles(value: Record<string, unknown>): RecordedFilesEntry | undefined {
  const { id, folder, unkept } = value;
  const { path, why } = (unkept ?? {}) as Record<string, unknown>;
  return {
    type: 'files-recorded',
    ...(typeof id === 'string' && { id }),
    ...(typeof folder === 'string' && { folder }),
    ...(typeof path === 'string' && typeof why === 'string' && { unkept: { path, why } }),
  };
}

/** The record of a turn with an addition. */
export function withEntry(files: RecordedFiles | undefined, entry: RecordedFilesEntry): RecordedFiles {
  const { id = entry.id ?? '', folders = [], unkept = [] } = files ?? {};
  return {
    id,
    folders: entry.folder === undefined || folders.includes(entry.folder) ? folders : [...folders, entry.folder],
    unkept: entry.unkept ? [...unkept, entry.unkept] : unkept,
  };
}
