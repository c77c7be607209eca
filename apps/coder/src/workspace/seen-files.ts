/** What was seen of a file, as fingerprints. */
export interface Seen {
  /** The text that counted. Undefined: it was not understood what the client made of it, so it must be read first. */
  readonly text: string | undefined;
  /** What the disk has held so far, the latest last. */
  readonly disk: ReadonlySet<string>;
}

/** What was seen of a file, as it is stored with its session. */
interface KeptSeen {
  readonly type: 'seen-file';
  /** Absolute, links resolved. */
  readonly path: string;
  readonly text?: string | undefined;
  /** The latest. */
  readonly disk?: string | undefined;
}

/**
 * What a session has seen of its files. It is stored with the session: whoever continues with it later may change what was read and is
 * still the same, without reading it once more.
 */
export class SeenFiles {
  readonly #seen = new Map<string, Seen>();
  readonly #unkept = new Set<string>();

  /** @param kept what was stored of the session, oldest first */
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

  /** Stores what is new since it was last stored. */
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
