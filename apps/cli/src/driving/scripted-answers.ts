import type { ScriptedAnswers } from '@turnwire/client/elicitation';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { jsonOf } from '../read-json-option.ts';

/** Reads the answers of `--answers`: JSON, or a file with it. Rejects with CommandError, exit code 2, if they are invalid. */
export async function answersOf(path: string | undefined): Promise<ScriptedAnswers | undefined> {
  if (path === undefined) return undefined;
  const answers = jsonOf('--answers', path);
  const { readScriptedAnswers } = await import('@turnwire/client/elicitation');
  try {
    return readScriptedAnswers(answers);
  } catch (error) {
    throw new CommandError(`the answers in ${path} cannot be used: ${(error as Error).message}`, exitCodes.usage);
  }
}
