/**
 * Invisible characters, which let a text look like another: those that Unicode lets a display leave out (zero width spaces and
 * joiners, marks, embeddings, overrides and isolates of direction, soft hyphens, fillers, variation selectors, tags), separators of
 * lines and paragraphs, and marks of annotations.
 */
export const unseen: RegExp = /[\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

/** The text around a character: up to two UTF-16 units on each side. */
export interface CharacterContext {
  readonly before: string;
  readonly after: string;
}

/** Letters and marks of scripts in which a joiner changes how a word is written. */
const joining = [
  ...['Arab', 'Syrc', 'Mand', 'Nkoo', 'Mong', 'Phag', 'Mani', 'Phlp', 'Rohg', 'Adlm'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr', 'Tibt'],
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');

/** Whether an invisible character is expected here: it is part of an emoji, or of how a word is written. */
export function isExpected(character: string, around: CharacterContext): boolean {
  const { before } = around;
  // These expressions take up to 20 ms to compile, and few texts need them, so they are compiled on use.
  if (/[\u200c\u200d]/.test(character)) return isJoined(character, around);
  if (/[\ufe00-\ufe02]|[\u{e0100}-\u{e01ef}]/u.test(character)) return /\p{Unified_Ideograph}$/u.test(before);
  if (/[\u180b-\u180f]/.test(character)) return /\p{Script=Mongolian}$/u.test(before);
  return isVariantOfEmoji(character, around);
}

let joiningBefore: RegExp | undefined;
let joiningAfter: RegExp | undefined;

function isJoined(joiner: string, { before, after }: CharacterContext): boolean {
  const endsInEmoji = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u.test(before);
  if (joiner === '\u200d' && endsInEmoji && /^\p{Extended_Pictographic}/u.test(after)) return true;
  joiningBefore ??= new RegExp(`[${joining}]$`, 'u');
  joiningAfter ??= new RegExp(`^[${joining}]`, 'u');
  return joiningBefore.test(before) && joiningAfter.test(after);
}

/** Whether it selects the emoji or the text form of the character before it: that hides nothing. */
export function isVariantOfEmoji(character: string, { before, after }: CharacterContext): boolean {
  if (!/[\ufe0e\ufe0f]/.test(character)) return false;
  const isVariable = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u.test(before);
  return isVariable || (/[\d#*]$/.test(before) && after.startsWith('\u20e3'));
}

/** Characters that look like a space but are not, and control characters other than tab and line break. */
// oxlint-disable-next-line no-control-regex -- control characters are the point
const odd = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\x00-\x08\x0b-\x1f\x7f-\x9f]/gu;

/** A character that a reader does not see or mistakes for another one. */
export interface HiddenCharacter {
  readonly character: string;
  /** In UTF-16 units. */
  readonly index: number;
}

let hidden: RegExp | undefined;

/**
 * The characters of a text that a reader does not see or mistakes for another one, in order.
 * @param keeps whether an invisible character is expected in its context
 */
export function hiddenCharacters(
  text: string,
  keeps: (character: string, around: CharacterContext) => boolean,
): readonly HiddenCharacter[] {
  hidden ??= new RegExp(`${unseen.source}|${odd.source}`, 'gu');
  return Array.from(text.matchAll(hidden), ({ 0: character, index }) => ({ character, index })).filter(
    ({ character, index }) => {
      const end = index + character.length;
      return !keeps(character, { before: text.slice(Math.max(0, index - 2), index), after: text.slice(end, end + 2) });
    },
  );
}
