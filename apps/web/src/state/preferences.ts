import { Store } from './store.ts';

/** The user's preferences in this browser, for all sessions. */
export interface Preferences {
  /** Whether diffs have two columns. */
  readonly isSplit: boolean;
  /** Whether single letters are shortcuts while the user is not typing. */
  readonly hasLetterKeys: boolean;
}

const key = 'turnwire.preferences';

export const preferences: Store<Preferences> = new Store<Preferences>({
  isSplit: false,
  hasLetterKeys: true,
  ...stored(),
});

/** Changes preferences and stores them. */
export function prefer(fields: Partial<Preferences>): void {
  preferences.change(fields);
  localStorage.setItem(key, JSON.stringify(preferences.current));
}

function stored(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Preferences>;
  } catch {
    // The storage may be unavailable or contain invalid data.
    return {};
  }
}
