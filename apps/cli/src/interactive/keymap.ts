import { type KeyAction, keyActions } from '../config/config-values.ts';
import type { Key } from './key-reader.ts';

/**
 * A key in a configuration: modifiers and a name, such as `ctrl-s`, `alt-enter` or `shift-tab`. Keys that type text cannot have another
 * action, and Ctrl-C always stops.
 */
export const keyName: RegExp =
  /^(?!ctrl-c$)(?:(?:(?:ctrl-|alt-|shift-)+(?:[a-z_]|enter|tab|space|backspace|delete|up|down|left|right|home|end|pageup|pagedown|f\d{1,2}))|enter|tab|escape|up|down|left|right|home|end|pageup|pagedown|f\d{1,2})$/;

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
