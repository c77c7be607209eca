import { stripVTControlCharacters } from 'node:util';
import fastCheck from 'fast-check';
import { expect, test } from 'vitest';
import { cleanJson, cleanLine, cleanText, TextCleaner, visibleText } from '../src/unseen-characters/index.ts';

const esc = '\u001b';
const bel = '\u0007';

test.each([
  ['colours', `a${esc}[31;1mb${esc}[0mc`, 'abc'],
  ['cursor movement and erasing', `a${esc}[2J${esc}[10;20Hb${esc}[?25l`, 'ab'],
  ['a window title', `a${esc}]0;pwned title${bel}b`, 'ab'],
  ['a clipboard write', `a${esc}]52;c;cm0gLXJm${esc}\\b`, 'ab'],
  ['a link', `${esc}]8;;http://evil.example${esc}\\text${esc}]8;;${esc}\\`, 'text'],
  ['device control strings', `a${esc}P1$r0m${esc}\\b${esc}_apc${esc}\\c${esc}^pm${esc}\\d${esc}Xsos${esc}\\e`, 'abcde'],
  ['short escapes', `a${esc}cb${esc}7c${esc}(0d`, 'abcd'],
  ['one-character introducers', 'a\u009b31mb\u009d0;title\u009cc\u0090x\u009cd', 'abcd'],
  ['other controls', 'a\u0000\u0008\u007f\u0085b\rc', 'abc'],
  ['bidirectional overrides', 'a\u202eb\u202c\u2066c\u2069', 'abc'],
  ['marks of direction', 'a\u200eb\u200fc\u061cd', 'abcd'],
  ['zero widths', 'a\u200bb\u2060c\ufeffd\u2064e\u00adf\u034fg', 'abcdefg'],
  ['joiners and selectors where nothing joins or varies', 'a\u200db\u200c\ufe0f1\ufe0f2\u{e0101}', 'ab12'],
  ['joiners between an emoji and what is none', '👩\u200da 👩\u200d\u200d', '👩a 👩'],
  ['tags', '🏴\u{e0067}\u{e0062}\u{e007f}a', '🏴a'],
  ['fillers and annotations', 'a\u3164b\u115fc\ufff9d\ufffbe', 'abcde'],
  ['an escape that leads nowhere', `a${esc}`, 'a'],
  ['an unfinished sequence', `a${esc}[31`, 'a[31'],
])('%s are removed', (_, given, expected) => {
  expect(cleanText(given)).toBe(expected);
});

test('cleaned JSON has the same value, and no character that controls a terminal', () => {
  const json = '{\r"a":\t"\\r\u009b31m\u202e",\r "b":1}';
  const clean = cleanJson(json);
  expect(JSON.parse(clean)).toEqual(JSON.parse(json));
  expect(clean).not.toMatch(/[\r\u009b\u202e]/);
});

test.each([
  ['in many scripts', 'Grüße, 日本語, 👩‍💻, עברית, tab\tnewline\n`code` [1] → ✓'],
  ['with joined and varied emoji', '👨‍👩‍👧 🏳️‍🌈 👩🏽‍🚀 ❤️‍🔥 ⚠️ ☎︎ 1️⃣ #️⃣'],
  ['in scripts that join', 'می‌خواهم, لَا‌إِلَه, क्‍ष, শ্রী, ශ්‍රී'],
  ['with variants of ideographs and of Mongolian letters', '葛\u{e0100}城, ᠠ\u180b'],
])('ordinary text %s is left alone', (_, text) => {
  expect(cleanText(text)).toBe(text);
  expect(cleanText(cleanText(text))).toBe(text);
});

test('line and paragraph separators become line ends', () => {
  expect([cleanText('a\u2028b\u2029c'), cleanLine('a\u2028b\u2029c')]).toEqual(['a\nb\nc', 'a b c']);
});

test('no sequence that controls a terminal survives, in any text', () => {
  const alphabet = fastCheck.constantFrom(
    esc,
    '[',
    ']',
    'P',
    '\\',
    ';',
    '?',
    '3',
    'm',
    bel,
    '\u009b',
    '\u009c',
    '\u009d',
    '\u202e',
    '\u200b',
    '\u200d',
    '\ufe0f',
    '👩',
    '\u{e0041}',
    '\r',
    '\n',
    '\t',
    'a',
    ' ',
  );
  const texts = fastCheck.string({ unit: alphabet, maxLength: 60 });
  fastCheck.assert(
    fastCheck.property(texts, (text) => {
      const clean = cleanText(text);
      expect(clean).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\u200b]|[\u{e0000}-\u{e007f}]/u);
      expect(cleanText(clean)).toBe(clean);
      expect(stripVTControlCharacters(clean)).toBe(clean);
    }),
  );
});

test('a text in chunks is cleaned like the whole text', () => {
  const emoji = `👩${esc}[1m\u200d${esc}[0m💻\u200d\u200d 🏳️‍🌈 x\u200dy`;
  const text = `one ${esc}[31mred${esc}[0m ${esc}]0;title${bel}two ${emoji} three${esc}]8;;http://x${esc}\\link${esc}]8;;${esc}\\ end`;
  const piecewise = fastCheck.array(fastCheck.integer({ min: 1, max: 7 }), { minLength: 40, maxLength: 90 });
  fastCheck.assert(
    fastCheck.property(piecewise, (lengths) => {
      const cleaner = new TextCleaner();
      let rest = text;
      let clean = '';
      for (const length of [...lengths, text.length]) {
        clean += cleaner.push(rest.slice(0, length));
        rest = rest.slice(length);
      }
      expect(clean + cleaner.end()).toBe('one red two 👩‍💻 🏳️‍🌈 xy threelink end');
    }),
  );
});

test('words after a complete sequence are released at once', () => {
  expect(new TextCleaner().push(`${esc}[31mhello`)).toBe('hello');
});

test('an unterminated sequence is dropped after a limit', () => {
  const cleaner = new TextCleaner();
  expect(cleaner.push(`${esc}]0;${'x'.repeat(300)}`)).toBe(`]0;${'x'.repeat(300)}`);
});

test('a title has one line', () => {
  expect(cleanLine(`  Edit\n\t${esc}[1mnotes.txt  `)).toBe('Edit notes.txt');
});

test('text that a user judges has its invisible characters spelled out', () => {
  expect(visibleText(`rm -rf /\r${esc}[2Kls \u202e`)).toBe('rm -rf /\\x0d\\x1b[2Kls <U+202E>');
});

test.each([
  ['what takes no room', 'git\u200b pu\u00adsh\u2060 \ufeff', 'git<U+200B> pu<U+00AD>sh<U+2060> <U+FEFF>'],
  ['marks of direction', 'a\u200eb\u200fc\u061cd\u2066', 'a<U+200E>b<U+200F>c<U+061C>d<U+2066>'],
  ['separators', 'ls\u2028rm', 'ls<U+2028>rm'],
  ['tags', '🏴\u{e0067}\u{e007f}', '🏴<U+E0067><U+E007F>'],
  ['joiners, wherever they stand', '👩‍💻 می‌خواهم', '👩<U+200D>💻 می<U+200C>خواهم'],
  ['selectors of variants', 'a\ufe0fb 葛\u{e0100}', 'a<U+FE0F>b 葛<U+E0100>'],
  ['spaces that are none', 'ls\u00a0-l\u3000x\u2800', 'ls<U+00A0>-l<U+3000>x<U+2800>'],
])('text that a user judges shows %s', (_, given, expected) => {
  expect(visibleText(given)).toBe(expected);
});

test('text that a user judges keeps ordinary characters', () => {
  const text = 'npm test -- "Grüße" ⚠️ 1️⃣ 日本語 עברית\n\tend';
  expect(visibleText(text)).toBe(text);
});

test('cleaned JSON means the same', () => {
  const value = { text: 'a\u009b31m\u202e\u007f\u001b\u200b\u{e0041} 👩‍💻' };
  const clean = cleanJson(JSON.stringify(value));
  expect(clean).toBe('{"text":"a\\u009b31m\\u202e\\u007f\\u001b\\u200b\\udb40\\udc41 👩‍💻"}');
  expect(JSON.parse(clean)).toEqual(value);
});
