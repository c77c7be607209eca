import { redactText } from '@turnwire/protocol';
import { connectOnce } from './own-command.ts';

/** A command as a user would type it, without secrets: of a remote agent its URL. */
export function shownCommand(words: readonly string[]): string {
  const own = connectOnce();
  const isRemote = own.every((word, index) => word === words[index]);
  const line = words
    .slice(isRemote ? own.length : 0)
    .map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`))
    .join(' ');
  return redactText(line, []);
}
