/**
 * Translates the paths of a patch in the format `git_patch` of the protocol: absolute, without prefixes, quoted as git quotes them. The lines of
 * its hunks stay as they are, whatever they contain.
 */
export function mappedPatch(text: string, path: (path: string) => string): string {
  /** The lines of the hunk that are still to come. */
  let [removed, added] = [0, 0];
  const lines = text.split('\n').map((line) => {
    if (removed > 0 || added > 0) {
      if (!line.startsWith('+') && !line.startsWith('\\')) removed--;
      if (!line.startsWith('-') && !line.startsWith('\\')) added--;
      return line;
    }
    const [, old = '1', now = '1'] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
    if (line.startsWith('@@ ')) [removed, added] = [Number(old), Number(now)];
    return mappedHeader(line, (name) => mappedName(name, path));
  });
  return lines.join('\n');
}

function mappedHeader(line: string, name: (name: string) => string): string {
  const [, word = '', rest = ''] = /^(diff --git |--- |\+\+\+ |(?:rename|copy) (?:from|to) )(.*)$/.exec(line) ?? [];
  if (word === '') return line;
  if (word !== 'diff --git ') return word + name(rest);
  const [old, now] = twoNames(rest);
  return now === undefined ? line : `${word}${name(old)} ${name(now)}`;
}

/** The two names of a line `diff --git`. Names with spaces are not quoted, so the same name twice is looked for first. */
function twoNames(text: string): readonly [old: string, now?: string] {
  const [, old, now] = /^("(?:[^"\\]|\\.)*"|\/.*?) ("(?:[^"\\]|\\.)*"|\/.*)$/.exec(text) ?? [];
  const half = text.slice(0, (text.length - 1) / 2);
  if (text === `${half} ${half}`) return [half, half];
  return old === undefined || now === undefined ? [text] : [old, now];
}

function mappedName(name: string, path: (path: string) => string): string {
  // git ends a name with spaces by a tab in the lines --- and +++.
  const [, plain = '', tab = ''] = /^(.*?)(\t?)$/s.exec(name) ?? [];
  if (!plain.startsWith('"')) return path(plain) + tab;
  const before = unquoted(plain);
  const after = path(before);
  return after === before ? name : quoted(after) + tab;
}

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };

/** The name in quotes, where bytes may be three octal digits. */
function unquoted(name: string): string {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [, octal, letter, plain] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...encoder.encode(plain ?? escapes[letter ?? ''] ?? letter ?? ''));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

function quoted(name: string): string {
  const letters = Object.entries(escapes);
  const text = name.replaceAll(/["\\\p{Cc}]/gu, (character) => {
    const letter = letters.find(([, each]) => each === character)?.[0];
    if (letter !== undefined) return `\\${letter}`;
    return /["\\]/.test(character) ? `\\${character}` : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `"${text}"`;
}
