import { commandWords } from '@turnwire/client/node';
import { turnwire } from '../../../apps/cli/test/command.ts';

/** An option that no command has. Commands report the first unknown option: this one, if all others are known. */
const unknown = '--not-an-option';

/**
 * Parses a command line of `turnwire` without running it. Resolves with the error, if there is one.
 * @param line text before `turnwire`, and after `|`, `>` or `&`, is ignored
 */
export async function unparsed(line: string): Promise<string | undefined> {
  const [, command = ''] = /(?:\bturnwire|npm start --silent --)\s([^|>&]*)/.exec(`${line} `) ?? [];
  const words = commandWords(command.replaceAll('…', 'X'));
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const { stderr } = await turnwire(words.toSpliced(end, 0, unknown));
  return stderr.startsWith(`turnwire: unknown option '${unknown}'`) ? undefined : `${line}: ${stderr.trim()}`;
}
