/** The fingerprints of a file that was read. */
export interface Seen {
  /** The current text. Undefined: the client changed it in an unknown way, so it must be read first. */
  readonly text: string | undefined;
  /** The disk's texts so far, the latest last. */
  readonly disk: ReadonlySet<string>;
}

/** The fingerprints of a file, as they are stored with its session. */
interface KeptSeen {
  readonly type: 'seen-file';
  /** Absolute, links resolved. */
  readonly path: string;
  readonly text?: string | undefined;
  /** The latest. */
  readonly disk?: string | undefined;
}

/**
 * The files a session has read. Stored with the session: when it is continued, a file that was read and is
 * unchanged may be edited without reading it again.
 */
export class SeenFiles {
  readonly #seen = new Map<string, Seen>();
  readonly #unkept = new Set<string>();

  /** @param kept the stored entries of the session, oldest first */
  constructor(kept: readonly unknown[] = []) {
    for (const { path, text, disk } of kept.filter(isKeptSeen))
      this.#seen.set(path, { text, disk: new Set(disk === undefined ? [] : [disk]) });
  }

  get(path: string): Seen | undefined {
    return this.#seen.get(path);
  }

  set(path: string, seen: Seen): void {
    const before = this.#seen.get(path);
    this.#seen.set(path, seen);
    if (!before || before.text !== seen.text || latest(before) !== latest(seen)) this.#unkept.add(path);
  }

  /** Stores the new fingerprints since the last call. */
  keepNew(keep: (value: unknown) => unknown): void {
    for (const path of this.#unkept) {
      const seen = this.#seen.get(path);
      const kept: KeptSeen = { type: 'seen-file', path, text: seen?.text, disk: seen && latest(seen) };
      keep(kept);
    }
    this.#unkept.clear();
  }
}

function latest({ disk }: Seen): string | undefined {
  return [...disk].at(-1);
}

function isKeptSeen(value: unknown): value is KeptSeen {
  const { type, path, text, disk } = (value ?? {}) as Partial<Record<keyof KeptSeen, unknown>>;
  const isPrint = (print: unknown): boolean => print === undefined || typeof print === 'string';
  return type === 'seen-file' && typeof path === 'string' && isPrint(text) && isPrint(disk);
}
