import { basename } from 'node:path/posix';
import { mayRunItsWords, mayRunOthers, possibleCommands } from './possible-commands.ts';
import { withoutGlobalOptions } from './risky-commands.ts';
import { type ShellCommand, type ShellLine, shellLine } from './shell-line.ts';
import { anyText, mayAddWords } from './shell-word.ts';

/** All texts under which a line may run a command, for rules that deny: more texts are safer. */
export interface CommandTexts {
  /** Whole commands. */
  readonly exact: readonly string[];
  /** For lines that cannot be parsed with certainty: texts that may begin at each word. */
  readonly loose: readonly string[];
  /** Texts a command may become, with `anyText` for parts known only to the shell, and texts that an unknown command may run. */
  readonly possible: readonly string[];
  /** The words of each command that the line may run; of one that may run its words, from each of them on. `anyText` stands for any number of words. */
  readonly words: readonly (readonly string[])[];
}

/** Words after which the words of a wrapper are only matched loosely. */
const most = 256;
/** Words of a loose text that are compared. */
const window = 48;

export function commandTexts(line: ShellLine): CommandTexts {
  const exact = new Set<string>();
  const isSure = collect(line, exact, 0);
  const possible = new Set<string>();
  collectPossible(line, possible);
  return {
    exact: [...exact],
    loose: isSure || !line.isRead ? [] : looseTexts(line.source),
    possible: [...possible],
    words: possibleCommands(line).flatMap((command) => beginnings(command)),
  };
}

function beginnings(command: ShellCommand): readonly (readonly string[])[] {
  const values = command.words.map((word) => (mayAddWords(word) ? anyText : word.value));
  if (!mayRunItsWords(command)) return [values];
  return values.slice(0, most).map((_, at) => values.slice(at, at + window));
}

function collectPossible({ commands }: ShellLine, texts: Set<string>): void {
  for (const { words, script } of commands) {
    const [name] = words;
    if (words.some(({ kind }) => kind !== 'literal'))
      addText(
        words.map(({ becomes }) => becomes),
        texts,
      );
    if (script) collectPossible(script, texts);
    else if (name && mayRunItsWords({ words, text: '', typed: '' })) {
      const runsOthers = mayRunOthers({ words, text: '', typed: '' });
      for (let at = 1; at < Math.min(words.length, most); at++)
        addText(
          // The words that the shell makes of one word may end with a program: `env x=$(cat file)`.
          words
            .slice(at)
            .map((word, index) => (runsOthers && index === 0 && mayAddWords(word) ? anyText : word.becomes)),
          texts,
        );
    }
  }
}

/** True if everything the line runs was collected with certainty. */
function collect(line: ShellLine, texts: Set<string>, depth: number): boolean {
  let isSure = line.doubts.length === 0;
  for (const command of line.commands) {
    texts.add(command.typed);
    texts.add(command.text);
    addWords(command, texts);
    if (command.script) isSure = collect(command.script, texts, depth + 1) && isSure;
    else if (mayRunOthers(command)) {
      isSure = false;
      addHidden(command, texts, depth);
    }
  }
  return isSure;
}

function addWords({ words }: ShellCommand, texts: Set<string>): void {
  addText(
    words.map(({ value }) => value),
    texts,
  );
}

function addText(words: readonly string[], texts: Set<string>): void {
  const named = [basename(words[0] ?? ''), ...words.slice(1)];
  texts.add(words.join(' '));
  texts.add(named.join(' '));
  texts.add(withoutGlobalOptions(named).join(' '));
}

function addHidden({ words }: ShellCommand, texts: Set<string>, depth: number): void {
  const values = words.slice(0, most).map(({ value }) => value);
  for (let at = 1; at < values.length; at++) addText(values.slice(at), texts);
  if (depth > 4) return;
  for (const value of values.slice(1)) if (/[\s;&|$`(]/.test(value)) collect(shellLine(value), texts, depth + 1);
}

/** Texts that might begin at each word, once with quotes removed and once with quotes as gaps. */
function looseTexts(source: string): readonly string[] {
  const plain = source.replaceAll(/\\\r?\n/g, '');
  const tokens = [plain.replaceAll(/['"\\]/g, ''), plain.replaceAll(/['"\\]/g, ' ')].map((text) =>
    text.split(/[\s;&|(){}`$<>,=![\]]+/).filter((token) => token !== ''),
  );
  return tokens.flatMap((each) =>
    each.map((token, at) => [basename(token), ...each.slice(at + 1, at + window)].join(' ')),
  );
}
