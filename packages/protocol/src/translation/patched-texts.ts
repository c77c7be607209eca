/** A changed part of a file. */
export interface PatchedText {
  readonly path: string;
  /** Null: the file is new. */
  readonly oldText: string | null;
  readonly newText: string;
}

const hunkHead = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** The parts of files that a patch in the form of Git changes: one for each hunk. None if the text is not a patch. */
export function patchedTexts(patch: string): readonly PatchedText[] {
  const found: PatchedText[] = [];
  let [before, after] = ['', ''];
  const lines = patch.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const hunk = hunkHead.exec(line);
    if (line.startsWith('--- ')) before = nameIn(line);
    else if (line.startsWith('+++ ')) after = nameIn(line);
    else if (hunk) {
      const end = hunkEnd(lines, index + 1, hunk);
      const oldText = before === '/dev/null' ? null : side(lines.slice(index + 1, end), '-');
      const path = after === '/dev/null' ? before : after;
      found.push({ path, oldText, newText: side(lines.slice(index + 1, end), '+') });
      index = end - 1;
    }
  }
  return found;
}

/** The name in the header of a file. A time may follow it. */
function nameIn(header: string): string {
  const [name = ''] = header.slice(4).split('\t');
  return name.startsWith('"') && name.endsWith('"') ? unquoted(name) : name.trimEnd();
}

/** Git quotes names with unusual characters, and writes their bytes in octal. */
function unquoted(name: string): string {
  const bytes = new TextEncoder().encode(name.slice(1, -1).replaceAll(/\\(["\\])/g, '$1'));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const raw = text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  return new TextDecoder().decode(Uint8Array.from(raw, (character) => character.charCodeAt(0)));
}

/** The index after the last line of a hunk. Its head counts the lines of both sides, since a line may look like a header. */
function hunkEnd(lines: readonly string[], start: number, [, oldCount = '1', newCount = '1']: RegExpExecArray): number {
  let [old, now] = [Number(oldCount), Number(newCount)];
  let end = start;
  while (end < lines.length && (old > 0 || now > 0)) {
    const mark = lines[end++]?.[0];
    if (mark === '\\') continue;
    if (mark !== '+') old--;
    if (mark !== '-') now--;
  }
  return lines[end]?.startsWith('\\') ? end + 1 : end;
}

/** The text of one side of a hunk. A line that starts with a backslash marks the line before it as unterminated. */
function side(lines: readonly string[], mark: '-' | '+'): string {
  return lines
    .map((line, index) => {
      const isOfSide = line === '' || line.startsWith(' ') || line.startsWith(mark);
      return isOfSide ? `${line.slice(1)}${lines[index + 1]?.startsWith('\\') ? '' : '\n'}` : '';
    })
    .join('');
}
