import { Store } from './store.ts';

/** What the user prefers in this browser, for all sessions. */
export interface Preferences {
  /** Diffs have two columns. */
  readonly isSplit: boolean;
  /** Letters are keys of the page while nothing is typed. */
  readonly hasLetterKeys: boolean;
}

const key = 'turnwire.preferences';

export const preferences: Store<Preferences> = new Store<Preferences>({
  isSplit: false,
  hasLetterKeys: true,
  ...stored(),
});

/** Changes preferences, and keeps them. */
export function prefer(fields: Partial<Preferences>): void {
  preferences.change(fields);
  localStorage.setItem(key, JSON.stringify(preferences.current));
}

function stored(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Preferences>;
  } catch {
    // Without a storage, or with something else in it, there are none.
    return {};
  }
}
