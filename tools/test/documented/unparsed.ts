import { commandWords } from '@turnwire/client/node';
import { turnwire } from '../../../apps/cli/test/command.ts';

/** No command has it. Commands name the first option that they do not know: this one, if they know all others. */
const unknown = '--not-an-option';

/**
 * Parses a command line of `turnwire`, and runs nothing. Resolves with what is wrong with it, if anything is.
 * @param line what stands before `turnwire` in it, and behind `|`, `>` or `&`, does not count
 */
export async function unparsed(line: string): Promise<string | undefined> {
  const [, command = ''] = /(?:\bturnwire|npm start --silent --)\s([^|>&]*)/.exec(`${line} `) ?? [];
  const words = commandWords(command.replaceAll('…', 'X'));
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const { stderr } = await turnwire(words.toSpliced(end, 0, unknown));
  return stderr.startsWith(`turnwire: unknown option '${unknown}'`) ? undefined : `${line}: ${stderr.trim()}`;
}
