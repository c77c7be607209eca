/** Words for the signs at the beginning of lines. */
const words: Readonly<Record<string, string>> = {
  '✓': 'done:',
  '✗': 'ended:',
  '→': 'running:',
  '∴': 'thought:',
  '!': 'note:',
  '•': '-',
  '│': '',
  '›': '>',
};

/** A line for a screen reader: signs become words, and line drawing is removed. */
export function spokenLine(line: string): string {
  return line
    .replace(/^(\s*)([✓✗→∴!•│›])(?= |$)/, (_, indent: string, sign: string) => indent + words[sign])
    .replace(/^── (.*) ──$/, '$1')
    .replace(/^─[─ ]*$/, '')
    .trimEnd();
}
