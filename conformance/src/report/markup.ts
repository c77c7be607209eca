/* oxlint-disable no-control-regex -- control characters are what this file is about */

/** Characters that XML forbids, that control terminals, that reorder text or are invisible, and unpaired surrogates. */
const invisible =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]|\p{Default_Ignorable_Code_Point}|[\ud800-\udfff]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML or XML that is safe to write. Create it only with {@link markup}. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | undefined | readonly Part[];

/** A template tag for HTML and XML. Texts are escaped; markup and lists of markup are inserted unchanged; `undefined` inserts nothing. */
export function markup(fixed: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(fixed.map((text, nth) => text + written(parts[nth])).join(''));
}

/** Spells out invisible characters, such as `\u001b`. */
export function visible(text: string): string {
  return text.replace(invisible, (character) => {
    const number = (character.codePointAt(0) ?? 0).toString(16);
    return number.length > 4 ? `\\u{${number}}` : `\\u${number.padStart(4, '0')}`;
  });
}

function written(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(written).join('');
  return visible(String(part)).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
