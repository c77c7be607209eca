import type { CommandTexts } from './command-texts.ts';
import { isInterpreter, isWrapper, riskyOptions } from './risky-commands.ts';
import type { ShellCommand } from './shell-line.ts';
import { wildcard } from './wildcard.ts';

/** What is in the brackets of `Bash(…)`. */
export interface CommandPattern {
  /** For rules that allow: whether it is about this command, as far as such a rule may be. */
  allows(command: ShellCommand): boolean;
  /** For rules that ask or deny: whether it is about anything the line may run. */
  finds(texts: CommandTexts): boolean;
}

/** `git status` is that command alone, `git *` begins with `git `, `git:*` is `git` alone or with anything. */
export function commandPattern(spec: string): CommandPattern {
  const text = spec.trim().replaceAll(/\s+/g, ' ');
  const patterns = text.endsWith(':*') ? [text.slice(0, -2), `${text.slice(0, -2)} *`] : [text];
  const exact = anyOf(patterns);
  // The words of `git *` may come from elsewhere: `xargs git`.
  const found = anyOf(
    patterns.flatMap((pattern) => (pattern.endsWith(' *') ? [pattern, pattern.slice(0, -2)] : [pattern])),
  );
  const loose = anyOf(patterns.flatMap((pattern) => [pattern, `${pattern} *`]));
  const named = new Set((patterns.at(-1) ?? '').split(' '));
  const [first = ''] = (patterns.at(-1) ?? '').split(' ');
  return {
    allows: (command) => (exact(command.text) || exact(command.typed)) && names(command, first, named),
    finds: (texts) => texts.exact.some(found) || texts.loose.some(loose),
  };
}

/** A command that runs others is allowed only by a rule that names it, with the option that makes it so. */
function names({ words }: ShellCommand, first: string, named: ReadonlySet<string>): boolean {
  const name = words[0]?.value ?? '';
  if ((isWrapper(name) || isInterpreter(name)) && first !== name) return false;
  return riskyOptions(words)?.every((option) => named.has(option)) ?? false;
}

function anyOf(patterns: readonly string[]): (text: string) => boolean {
  const compiled = patterns.map(wildcard);
  return (text) => compiled.some((matches) => matches(text));
}
