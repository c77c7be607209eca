import { type KeyAction, keyActions } from '../config/config-values.ts';
import type { Key } from './key.ts';

/** The keys that the user chose for actions of the chat. */
export class Keymap {
  readonly #chords: ReadonlyMap<string, string>;

  /** @param keys actions by the name of the key */
  constructor(keys: Readonly<Record<string, KeyAction>> = {}) {
    this.#chords = new Map(Object.entries(keys).map(([name, action]) => [chordOf(name), keyActions[action]]));
  }

  /** The key that does the same without this map; undefined for a key that is turned off. */
  mapped(key: Key): Key | undefined {
    const chord = key.text === '' ? this.#chords.get(key.chord) : undefined;
    if (chord === undefined) return key;
    return chord === '' ? undefined : { chord, text: '' };
  }
}

function chordOf(name: string): string {
  const [key = '', ...modifiers] = name.split('-').toReversed();
  const held = ['ctrl', 'alt', 'shift'].filter((modifier) => modifiers.includes(modifier));
  return [...held.map((modifier) => (modifier === 'alt' ? 'meta' : modifier)), key === 'enter' ? 'return' : key].join(
    '-',
  );
}
