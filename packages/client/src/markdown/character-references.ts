import { characterEntitiesHtml4 } from 'character-entities-html4';

/** The references of HTML 4, and the apostrophe. All of HTML 5 would add a tenth to the size of the page for rarely used names. */
const named: Readonly<Record<string, string>> = { ...characterEntitiesHtml4, apos: "'" };

/** Replaces character references such as `&lt;` and `&#8212;`. Unknown names stay unchanged. */
export function withCharacters(text: string): string {
  return text.replaceAll(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
    const code = Number(/^#x/i.test(name) ? `0${name.slice(1)}` : name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
  });
}
