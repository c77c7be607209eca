/** Signs that stand at the beginning of lines, in words. */
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

/** A line as it can be read aloud: signs are words, and nothing is drawn. */
export function spokenLine(line: string): string {
  return line
    .replace(/^(\s*)([✓✗→∴!•│›])(?= |$)/, (_, indent: string, sign: string) => indent + words[sign])
    .replace(/^── (.*) ──$/, '$1')
    .replace(/^─[─ ]*$/, '')
    .trimEnd();
}
