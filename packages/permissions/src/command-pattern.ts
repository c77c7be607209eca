import { basename } from 'node:path/posix';
import type { CommandTexts } from './command-texts.ts';
import { optionsOf } from './command-options.ts';
import { isInterpreter, isWrapper } from './risky-commands.ts';
import { isTameSed } from './sed-script.ts';
import type { ShellCommand } from './shell-line.ts';
import { anyText } from './shell-word.ts';
import { possibleWildcard, wildcard } from './wildcard.ts';

/** Whether a rule matches: certainly, or only for some values of words that the shell computes. */
export type Finding = 'certain' | 'possible' | undefined;

/** The text in the brackets of `Bash(…)`. */
export interface CommandPattern {
  /** For rules that allow: whether it matches this command, within the limits of such rules. */
  allows(command: ShellCommand): boolean;
  /** For rules that ask or deny: whether it matches anything the line may run. */
  finds(texts: CommandTexts): Finding;
}

/** `git status` is that command alone, `git *` begins with `git `, `git:*` is `git` alone or with anything. */
export function commandPattern(spec: string): CommandPattern {
  const text = spec.trim().replaceAll(/\s+/g, ' ');
  const patterns = text.endsWith(':*') ? [text.slice(0, -2), `${text.slice(0, -2)} *`] : [text];
  const exact = anyOf(patterns);
  // The words of `git *` may come from elsewhere: `xargs git`.
  const wider = patterns.flatMap((pattern) => (pattern.endsWith(' *') ? [pattern, pattern.slice(0, -2)] : [pattern]));
  const found = anyOf(wider);
  const possible = wider.map((pattern) => possibleWildcard(pattern, anyText));
  const loose = anyOf(wider.flatMap((pattern) => [pattern, `${pattern} *`]));
  const behindOptions = patterns.map((pattern) => optionsBetween(pattern));
  const named = new Set((patterns.at(-1) ?? '').split(' '));
  const [first = ''] = (patterns.at(-1) ?? '').split(' ');
  return {
    allows: (command) =>
      (exact(command.text) || exact(command.typed)) &&
      names(command, first, named) &&
      (!text.includes('*') || runsNoScript(command)),
    finds: (texts) => {
      if (texts.exact.some(found) || texts.loose.some(loose)) return 'certain';
      const isPossible =
        texts.possible.some((text) => possible.some((matches) => matches(text))) ||
        texts.words.some((words) => behindOptions.some((matches) => matches(words)));
      return isPossible ? 'possible' : undefined;
    },
  };
}

/** A command that runs others is allowed only by a rule that names it, with every option and verb not known to be harmless. */
function names({ words }: ShellCommand, first: string, named: ReadonlySet<string>): boolean {
  const name = words[0]?.value ?? '';
  if ((isWrapper(name) || isInterpreter(name)) && first !== name) return false;
  const options = optionsOf(words);
  if (!options) return true;
  return !options.unknown && options.risky.every((spellings) => spellings.some((spelling) => named.has(spelling)));
}

/** A pattern does not say what is in a script, so it is read: a rule such as `sed -n *` is meant for looking at files. */
function runsNoScript({ words }: ShellCommand): boolean {
  return basename(words[0]?.value ?? '') !== 'sed' || isTameSed(words);
}

/**
 * Whether words are those of a pattern with options, and values of options, between them: `npm -s publish` and `kubectl -n x delete`. The
 * beginning of a verb stands for it, as programs have it, and an option of the pattern may be anywhere.
 */
function optionsBetween(pattern: string): (words: readonly string[]) => boolean {
  const mayHaveMore = pattern.endsWith(' *');
  const [program = '', ...verbs] = (mayHaveMore ? pattern.slice(0, -2) : pattern).split(' ');
  const isProgram = wildcard(program);
  return ([name = '', ...words]) => {
    const called = basename(name);
    const isJoined = called.startsWith(`${program}-`);
    const given = isJoined ? [called.slice(program.length + 1), ...words] : words;
    if (!isProgram(called) && !isJoined) return false;
    let at = 0;
    const areThere = verbs.every((verb) => {
      if (verb.startsWith('-')) return given.some((word) => word === verb || word.startsWith(`${verb}=`));
      if (given.slice(0, at + 1).includes(anyText)) return true;
      while (given[at] !== undefined && !isVerb(given[at] ?? '', verb, program)) {
        if (given[at] === anyText) return true;
        if (!given[at]?.startsWith('-') && !given[at - 1]?.startsWith('-')) return false;
        at++;
      }
      return given[at++] !== undefined;
    });
    return areThere && (mayHaveMore || given.slice(at).every((word) => word.startsWith('-')));
  };
}

/** Verbs of git that do what another one does, for one of its steps or for a part of the repository. */
const likeVerbs: Readonly<Record<string, RegExp>> = {
  fetch: /^(?:fetch-pack|http-fetch|pull|remote-\w+|subtree)$/,
  push: /^(?:http-push|remote-\w+|send-pack|subtree)$/,
};

/** An abbreviation has three letters at least. */
function isVerb(word: string, verb: string, program: string): boolean {
  if (program === 'git' && Object.hasOwn(likeVerbs, verb) && likeVerbs[verb]?.test(word)) return true;
  return verb.includes('*') ? wildcard(verb)(word) : word === verb || (word.length > 2 && verb.startsWith(word));
}

function anyOf(patterns: readonly string[]): (text: string) => boolean {
  const compiled = patterns.map(wildcard);
  return (text) => compiled.some((matches) => matches(text));
}
