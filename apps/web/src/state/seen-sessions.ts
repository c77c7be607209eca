const key = 'turnwire.seen';

/** Remembers the last change of each session that this browser has shown, so that sessions with news are marked. */
export class SeenSessions {
  /** The time of the last change that was seen, by id; `from` is that of the newest session when this browser saw its first list. */
  #seen: { readonly from?: number; readonly byId: Readonly<Record<string, number>> } = stored();

  /** Whether a session has changed since the user looked at it. Nothing is news in the first list. */
  hasNews({ id, updatedAt }: { readonly id: string; readonly updatedAt: number }): boolean {
    return updatedAt > (this.#seen.byId[id] ?? this.#seen.from ?? Infinity);
  }

  /** The user has looked at these sessions since the last list. Times of sessions that are no longer listed are forgotten. */
  look(listed: readonly { readonly id: string; readonly updatedAt: number }[], shown: ReadonlySet<string>): void {
    const from = this.#seen.from ?? Math.max(0, ...listed.map(({ updatedAt }) => updatedAt));
    const times = listed.flatMap(({ id, updatedAt }) => {
      const time = shown.has(id) ? updatedAt : this.#seen.byId[id];
      return time === undefined ? [] : [[id, time] as const];
    });
    const next = { from, byId: Object.fromEntries(times) };
    if (JSON.stringify(next) === JSON.stringify(this.#seen)) return;
    this.#seen = next;
    localStorage.setItem(key, JSON.stringify(next));
  }
}

function stored(): { readonly from?: number; readonly byId: Readonly<Record<string, number>> } {
  try {
    const { from, byId } = JSON.parse(localStorage.getItem(key) ?? '') as {
      from: number;
      byId: Record<string, number>;
    };
    return { from, byId };
  } catch {
    // The storage may be unavailable or contain invalid data.
    return { byId: {} };
  }
}
